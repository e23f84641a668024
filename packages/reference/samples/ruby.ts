import { literal, RUBY } from './literal.ts'
import { addressOf, type SampleRequest } from './request.ts'

/** Writes the request with Ruby's standard library. */
export function rubyOf({ method, path, hasToken, body }: SampleRequest): string {
  const name = method.charAt(0) + method.slice(1).toLowerCase()
  return [
    'require "net/http"',
    ...(body === undefined ? [] : ['require "json"']),
    '',
    `uri = URI(ENV["API"] + ${literal(RUBY, addressOf(path))})`,
    `request = Net::HTTP::${name}.new(uri)`,
    ...(hasToken ? ['request["Authorization"] = "Bearer #{ENV["TOKEN"]}"'] : []),
    ...(body === undefined
      ? []
      : ['request["Content-Type"] = "application/json"', `request.body = JSON.generate(${literal(RUBY, body)})`]),
    'answer = Net::HTTP.start(uri.host, uri.port, use_ssl: true) { |http| http.request(request) }',
    'answer.value # raises where it was refused',
    'puts answer.body',
  ].join('\n')
}
