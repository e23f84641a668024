import { errorOf, retryAfterOf } from './errors.ts'
import type { Throttle } from './throttle.ts'
import type { Timer } from './time.ts'
import type { Tokens } from './tokens.ts'

export type Fetch = (request: Request) => Promise<Response>

type Dependencies = {
  readonly fetch: Fetch
  readonly tokens: Tokens
  readonly throttle: Throttle
  readonly timer: Timer
  /** The longest wait for the rate or for a service that is away, before the refusal is thrown. */
  readonly maxWaitSeconds: number
}

/** Methods that may be sent again although the first request may have been carried out (RFC 9110 §9.2.2). */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']
const MAX_ATTEMPTS = 5
/** The media type of a stream of events. */
export const EVENT_STREAM = 'text/event-stream'

/** Sends requests with a token, at the rate of the application, and again where that helps. Throws CampusError for a refusal. */
export const sender =
  ({ fetch, tokens, throttle, timer, maxWaitSeconds }: Dependencies): Fetch =>
  async (given) => {
    const request = withKey(given)
    let isNewToken = false
    for (let attempts = 1; ; attempts += 1) {
      const token = await tokens.current()
      await throttle.turn(request.signal)
      const attempt = request.clone()
      attempt.headers.set('authorization', `Bearer ${token}`)
      const response = await fetch(attempt)
      throttle.learn(response.headers)
      if (response.ok || response.status === 304) return response

      const seconds = waitAfter(request, response, attempts)
      if (response.status === 401 && !isNewToken) {
        // It may have been revoked, or the service set up anew; a second new one would fare no better.
        isNewToken = true
        await tokens.forget(token)
      } else if (seconds !== undefined && seconds <= maxWaitSeconds) {
        // How many streams may be opened is counted apart: other requests need not wait.
        const isOfRate = response.status === 429 && request.headers.get('accept') !== EVENT_STREAM
        if (isOfRate) throttle.hold(seconds * 1000)
        else await timer.wait(seconds * 1000, request.signal)
      } else throw await errorOf(request.method, request.url, response)
      await response.body?.cancel()
    }
  }

/** Seconds until the same request may succeed; undefined where it would not, or might be carried out twice. */
function waitAfter(request: Request, { status, headers }: Response, attempts: number): number | undefined {
  if (status === 429) return retryAfterOf(headers) ?? 1
  if (status !== 503 || attempts >= MAX_ATTEMPTS) return undefined
  const isRepeatable = REPEATABLE.includes(request.method) || request.headers.has('idempotency-key')
  return isRepeatable ? (retryAfterOf(headers) ?? 1) * 2 ** (attempts - 1) : undefined
}

/** Gives a POST, and a DELETE with a body, a key with which it is carried out once however often it is sent. */
function withKey(request: Request): Request {
  const needsKey = request.method === 'POST' || (request.method === 'DELETE' && request.body !== null)
  if (!needsKey || request.headers.has('idempotency-key')) return request
  const keyed = request.clone()
  keyed.headers.set('idempotency-key', crypto.randomUUID())
  return keyed
}
