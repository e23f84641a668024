import type { IncomingHttpHeaders } from 'node:http'
import { toError } from '@campus/engine/base/caught'
import { once } from '@campus/engine/base/once'
import { LRUCache } from 'lru-cache'
import type { Dispatcher, Pool } from 'undici'
import { ForbiddenAddress } from './connect-guard.ts'
import { type GuardOptions, guardedConnector } from './guarded-connector.ts'
import { AnswerTooLong, limitAnswers } from './limit-answers.ts'
import { skipContinue } from './skip-continue.ts'
import { storedReason } from './stored-reasons.ts'

export type PostResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly retryAfter: string | undefined
      /** At most 64 KiB. */
      readonly answer: Buffer
      readonly isCut: boolean
    }
  /** `error` is a stored reason. */
  | { readonly kind: 'failed'; readonly error: string }
  /** The service stopped the request. */
  | { readonly kind: 'aborted' }

export type Request = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts deliveries. `post` never rejects. */
export type Transport = {
  post(subscriptionId: number, request: Request, signal: AbortSignal): Promise<PostResult>
  close(): Promise<void>
}

export type Deadlines = { readonly connectMs: number; readonly wholeMs: number }

/** spec: webhooks 8 */
export const DEADLINES: Deadlines = { connectMs: 5_000, wholeMs: 15_000 }
const MAX_STORED_BYTES = 64 * 1024
/** Maximum size of an answer with headers, interim answers and chunk framing. */
const MAX_ANSWER_BYTES = 1_048_576
/** Maximum number of endpoints with pooled connections. */
const MAX_POOLS = 128

type TransportOptions = Omit<GuardOptions, 'connectMs'> & {
  /** Maximum number of connections to one endpoint. */
  readonly connections: number
  readonly deadlines?: Deadlines
}

/** Sends over HTTPS with verified certificates, to public and allowed addresses. */
export function createTransport(options: TransportOptions): Transport {
  const { allowed, tls, connections, deadlines = DEADLINES, resolve } = options
  // The client loads slowly, and most processes call no endpoint.
  const client = once(async () => {
    const connect = await guardedConnector({ allowed, tls, connectMs: deadlines.connectMs, resolve })
    return { Pool: (await import('undici')).Pool, connect: limitAnswers(skipContinue(connect), MAX_ANSWER_BYTES) }
  })
  const pools = new LRUCache<number, { readonly origin: string; readonly pool: Pool }>({
    max: MAX_POOLS,
    // Requests in flight still complete.
    dispose: ({ pool }) => pool.destroyed || void pool.close(),
  })

  /** Each endpoint has its own connections, so none waits for another's. */
  async function poolOf(subscriptionId: number, origin: string): Promise<Pool> {
    const { Pool, connect } = await client()
    const known = pools.get(subscriptionId)
    if (known?.origin === origin) return known.pool
    const pool = new Pool(origin, { connections, connect, pipelining: 1, allowH2: false, keepAliveTimeout: 10_000 })
    pools.set(subscriptionId, { origin, pool })
    return pool
  }

  return {
    async post(subscriptionId, request, signal) {
      if (request.url.protocol !== 'https:') return { kind: 'failed', error: storedReason('not_https') }
      if (signal.aborted) return { kind: 'aborted' }
      const pool = await poolOf(subscriptionId, request.url.origin)
      return send(pool, request, { signal, milliseconds: deadlines.wholeMs })
    },
    async close() {
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))
      pools.clear()
    },
  }
}

type Until = { readonly signal: AbortSignal; readonly milliseconds: number }

/** Sends the request and stores the start of the answer. Undici's own `request` costs as much again in streams and promises. */
function send(pool: Pool, { url, headers, body }: Request, { signal, milliseconds }: Until): Promise<PostResult> {
  return new Promise((resolve) => {
    let connection: Dispatcher.DispatchController | undefined
    let isOver = false
    const end = (result: PostResult) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    /** Also closes the connection, since the rest of the answer is not read. */
    const stop = (result: PostResult) => {
      end(result)
      connection?.abort(new Error('stopped'))
    }
    const fail = (error: unknown) => end({ kind: 'failed', error: describe(error) })
    const abort = () => stop({ kind: 'aborted' })
    const lateness = storedReason('not_answered', milliseconds / 1000)
    const timer = setTimeout(() => stop({ kind: 'failed', error: lateness }), milliseconds)
    signal.addEventListener('abort', abort)
    const answer = new AnswerStart()
    const request: Dispatcher.DispatchOptions = {
      path: url.pathname + url.search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...headers },
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    try {
      pool.dispatch(request, {
        onRequestStart(controller) {
          connection = controller
          if (isOver) controller.abort(new Error('stopped'))
        },
        // A redirect is not followed, since that would send the key to another address.
        onResponseStart(_controller, status, received) {
          answer.begin(status, received)
        },
        onResponseData(_controller, chunk) {
          answer.add(chunk)
          // An endless answer is not read to its end.
          if (answer.isCut) stop(answer.result())
        },
        onResponseEnd: () => end(answer.result()),
        onResponseError: (_controller, error) => fail(error),
      })
    } catch (error) {
      fail(error)
    }
  })
}

class AnswerStart {
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}

  /** Called for interim answers, and last for the answer itself. */
  begin(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  add(chunk: Buffer): void {
    // A copy, since a chunk is a view that would keep a larger buffer in memory.
    this.#chunks.push(Buffer.from(chunk))
    this.#bytes += chunk.length
  }

  get isCut(): boolean {
    return this.#bytes > MAX_STORED_BYTES
  }

  result(): PostResult {
    const isPlain = [undefined, 'identity'].includes(one(this.#headers['content-encoding']))
    return {
      kind: 'answered',
      status: this.#status,
      retryAfter: one(this.#headers['retry-after']),
      // A compressed answer cannot be searched for secrets.
      answer: isPlain
        ? Buffer.concat(this.#chunks).subarray(0, MAX_STORED_BYTES)
        : Buffer.from('(a compressed answer, not kept)'),
      isCut: this.isCut,
    }
  }
}

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0])
  if (error instanceof ForbiddenAddress) return storedReason('not_public', error.address)
  if (error instanceof AnswerTooLong) return storedReason('too_long', MAX_ANSWER_BYTES)
  const { code, message } = toError(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return storedReason('not_connected')
  return code && !message.includes(code) ? `${message} (${code})` : message
}
