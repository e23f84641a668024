import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { until } from '../support/until.ts'

/** A service that fails as its addresses say. */
export type FailingService = {
  readonly url: string
  readonly ca: string
  /**
   * An address of its own, whose first request fails as the first step says, and so on; the last one repeats:
   * `drop` (no answer), `cut` (half of one), `hang` (none, ever), `drip` (one that never ends), `away` (a redirect), a status, or one
   * with `Retry-After` as `503~7`.
   */
  path(...steps: readonly string[]): string
  /** Requests received at an address, or at the token endpoint. */
  requests(path: string): readonly IncomingMessage[]
  /** Next outcomes of the token endpoint. */
  tokenSteps: string[]
  close(): Promise<void>
}

/** After an address: answers say that a thousand a second are allowed, not one. */
export const QUICKLY = '?quickly'
/** Before an address: answers when that was asked for. */
const UNTIL = '/v2/until'
/** Target of redirects. */
export const ELSEWHERE = '/elsewhere/200'
export const TOKEN = 'a-token-that-nobody-may-see'

/** A server on this machine under TLS, which any origin may call, and which counts what comes. To be closed. */
export async function failingService(): Promise<FailingService> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'failing' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  const seen = new Map<string, IncomingMessage[]>()
  let paths = 0
  const service: FailingService = {
    url: '',
    ca: cert,
    tokenSteps: [],
    path: (...steps) => `/v2/steps/${++paths}/${steps.join(',')}`,
    requests: (path) => seen.get(path) ?? [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer({ cert, key }, (request, response) => {
    share(request, response)
    if (request.url?.endsWith(QUICKLY)) response.setHeader('x-secondly-ratelimit-limit', '1000')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const path = String(request.url).split('?', 1)[0] ?? ''
    if (path.startsWith(UNTIL)) {
      const awaited = path.slice(UNTIL.length)
      return void until(async () => service.requests(awaited).length > 0).then(() => answer(response, '200'))
    }
    const before = service.requests(path)
    seen.set(path, [...before, request])
    request.resume()
    if (path !== '/oauth/token') {
      const steps = path.split('/').at(-1)?.split(',') ?? []
      return answer(response, steps[Math.min(before.length, steps.length - 1)] ?? '200')
    }
    const step = service.tokenSteps.shift()
    if (step !== undefined) return answer(response, step)
    return sendJson(response, 200, { access_token: TOKEN, expires_in: 7200, token_type: 'bearer', scope: 'public' })
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(service, { url: `https://localhost:${port}` })
}

function share({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', headers.origin ?? '*')
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-expose-headers', 'Retry-After, X-Request-Id')
}

function answer(response: ServerResponse, step: string): void {
  const [what = '', retryAfter] = step.split('~')
  if (what === 'hang') return
  if (what === 'drop') return void response.socket?.destroy()
  if (what === 'away') return void response.writeHead(307, { location: ELSEWHERE }).end()
  if (what === 'cut' || what === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[1')
    if (what === 'cut') return void setImmediate(() => response.socket?.destroy())
    const dripping = setInterval(() => response.write(' '), 5)
    return void response.on('close', () => clearInterval(dripping))
  }
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  sendJson(response, Number(what), what === '200' ? { done: true } : { error: 'Failing', message: `Step ${step}` })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.setHeader('x-request-id', 'request-of-a-test')
  if (status === 204) return void response.writeHead(204).end()
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
