import { type Fetch, type Outgoing, sendOnce } from './attempt.ts'
import { type Outcome, Retries, type RetryLimits, sendUntilAnswered } from './retries.ts'
import type { Throttle } from './throttle.ts'
import { abortable, type Timer } from './time.ts'
import type { Tokens } from './tokens.ts'

type Dependencies = {
  readonly fetch: Fetch
  readonly tokens: Tokens
  readonly throttle: Throttle
  readonly timer: Timer
}

type Options = { readonly limits: RetryLimits; readonly signal: AbortSignal | undefined }

/** Sends a request, and retries it if a retry may succeed. */
export type Send = (request: Request, options: Options) => Promise<Response>

/** Methods that may be sent again although the first request may have been carried out (RFC 9110 §9.2.2). */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']
const WITHOUT_BODY = ['GET', 'HEAD']
/** Media type of Server-Sent Events. */
export const EVENT_STREAM = 'text/event-stream'

/**
 * Sends requests with a token, within the rate of the application, and retries those that may succeed. Throws
 * CampusError for an error response, ConnectionError if no response came, and the abort reason of the signal.
 */
export const sender =
  ({ fetch, tokens, throttle, timer }: Dependencies): Send =>
  async (request, { limits, signal }) => {
    const outgoing = await outgoingOf(request)
    const isStream = outgoing.headers.get('accept') === EVENT_STREAM
    // A retry with If-Match would fail because the first attempt may have changed the record.
    const isRepeatable =
      outgoing.headers.has('idempotency-key') ||
      (REPEATABLE.includes(outgoing.method) && !outgoing.headers.has('if-match'))
    const retries = new Retries(limits, isRepeatable, timer)
    const { timeoutSeconds } = limits
    let isNewToken = false

    const send = async (): Promise<Outcome> => {
      const token = await abortable(tokens.current(), signal)
      await throttle.turn(signal)
      outgoing.headers.set('authorization', `Bearer ${token}`)
      const outcome = await retries.attempt(() =>
        sendOnce(outgoing, { fetch, timeoutSeconds, signal, isStream, number: retries.attempts }),
      )
      if ('headers' in outcome) throttle.learn(outcome.headers)
      if (!('status' in outcome) || outcome.status !== 401 || isNewToken) return outcome
      // The token may have been revoked, or the service reinstalled. Requests a new token once only.
      isNewToken = true
      await tokens.forget(token)
      return send()
    }
    // Streams have a limit of their own, so a refused stream does not delay other requests.
    const isOfRate = (outcome: Outcome) => 'status' in outcome && outcome.status === 429 && !isStream
    const pause = (milliseconds: number, outcome: Outcome) =>
      isOfRate(outcome) ? throttle.hold(milliseconds) : timer.wait(milliseconds, signal)
    return sendUntilAnswered(outgoing, retries, { send, pause })
  }

/** Adds an idempotency key to a POST, and to a DELETE with a body, so that retries act only once. */
async function outgoingOf(request: Request): Promise<Outgoing> {
  const { method, url } = request
  const headers = new Headers(request.headers)
  const content = WITHOUT_BODY.includes(method) ? undefined : await request.arrayBuffer()
  const body = content?.byteLength ? content : undefined
  const isDoneAnew = method === 'POST' || (method === 'DELETE' && body !== undefined)
  if (isDoneAnew && !headers.has('idempotency-key')) headers.set('idempotency-key', randomKey())
  return { method, url, headers, body }
}

/** Pages that were not loaded over https have no `crypto.randomUUID`. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
