import { isRecord } from '@campus/engine/base/narrow'
import { readForm } from '@campus/engine/http/bodies'
import { nest, type Pair, readPairs } from '@campus/engine/http/params'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest } from './oauth-errors.ts'

export type Parameters<Name extends string> = Readonly<Partial<Record<Name, string>>>

/**
 * Reads parameters from the body in any of its forms, else from the query string (spec: authentication 4). An empty value
 * counts as absent, and each must be a single string (RFC 6749 §3.2). Throws 400.
 */
export function readParameters<Name extends string>(request: FastifyRequest, names: readonly Name[]): Parameters<Name> {
  refuseRepeated(readPairs(request.url.replace(/^[^?]*\??/, '')))
  const sources = [asObject(request.body), asObject(request.query)]
  const parameters: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = sources.map((source) => readText(source, name)).find((text) => text !== undefined)
    if (value !== undefined) parameters[name] = value
  }
  return parameters
}

function asObject(value: unknown): object {
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value
  throw invalidRequest('The request body must be an object or a form.')
}

function readText(source: object, name: string): string | undefined {
  const value = isRecord(source) && Object.hasOwn(source, name) ? source[name] : undefined
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidRequest(`The parameter ${name} must be a single string.`)
  return value.trim() === '' ? undefined : value
}

/** The parser keeps the last of two equal names, so repeats are visible only before it. */
export function refuseRepeatedFormFields(fastify: FastifyInstance): void {
  const form = 'application/x-www-form-urlencoded'
  fastify.removeContentTypeParser(form)
  fastify.addContentTypeParser(form, { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) => {
    const pairs = readForm(bytes)
    refuseRepeated(pairs)
    return nest(pairs)
  })
}

function refuseRepeated(pairs: readonly Pair[]): void {
  const names = new Set(pairs.map(([name]) => name))
  if (names.size < pairs.length) throw invalidRequest('No parameter may be sent more than once.')
}
