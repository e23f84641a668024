import { print, printable } from '@campus/engine/base/text/printable'
import type { Dispatcher } from 'undici'
import type { Fetch } from '../../../clients/typescript/src/attempt.ts'
import { ConnectionError, explained } from '../../../clients/typescript/src/connection.ts'
import { errorOf } from '../../../clients/typescript/src/errors.ts'
import type { Credentials } from './credentials.ts'

export type ConnectionOptions = {
  /** `https://…`, without a path. */
  readonly address: string
  /** PEM text of a certificate to trust besides those of the system. */
  readonly ca: string | undefined
  readonly credentials: (ask: Fetch, address: string) => Credentials
}

const REQUEST_MILLISECONDS = 120_000
/** Far more than an answer that an assistant can read. */
const MAX_BYTES = 8_388_608

/** Sends requests with a token to one service and to no other address. */
export class ServiceConnection {
  readonly #options: ConnectionOptions
  readonly #credentials: Credentials
  readonly #send: Fetch
  #dispatcher: Promise<Dispatcher> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#send = (request) =>
      this.#fetch(request).catch((error) => {
        throw isNetworkError(error) ? explained(error, new URL(request.url).origin, 1) : error
      })
    this.#credentials = options.credentials((request) => this.#fetch(request), options.address)
  }

  /** Implements `fetch` for the SDK. Throws refusals of the service, except for 405 on a request for a stream. */
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET' } = init
    for (let attempts = 1; ; attempts += 1) {
      const token = await this.#credentials.current()
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      const response = await this.#send(new Request(url, { ...init, headers }))
      if (response.ok || (method === 'GET' && response.status === 405)) return response
      const mayRenew = response.status === 401 && attempts === 1 && (await this.#credentials.renew(token))
      if (!mayRenew) throw await errorOf(method, String(url), response, attempts)
    }
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  async #fetch(request: Request): Promise<Response> {
    const { fetch } = await import('undici') // Most commands do without it.
    this.#dispatcher ??= agentOf(this.#options.ca)
    const response = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers, ['user-agent', 'campus-mcp']],
      body: request.method === 'POST' ? await request.text() : null,
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_MILLISECONDS)]),
      dispatcher: await this.#dispatcher,
    })
    const { status } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      const target = printable(response.headers.get('location') ?? 'nowhere')
      throw new ConnectionError(
        `The service leads elsewhere (${status} to ${target}): name that address by --to, if it is right.`,
      )
    }
    const bytes = await readAll(response.body)
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: [...response.headers] })
  }
}

/** Reports whether undici's `fetch` failed without an answer. */
const isNetworkError = (error: unknown) => error instanceof TypeError && error.cause !== undefined

async function agentOf(ca: string | undefined): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  return new Agent(ca === undefined ? {} : { connect: { ca } })
}

async function readAll(body: AsyncIterable<Uint8Array> | null): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > MAX_BYTES) throw new ConnectionError(`The service gives an answer of more than ${MAX_BYTES} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Reports on standard error, since standard output has the protocol. */
export const report = (text: string): void => print(printable(text), process.stderr)
