import { errorOf, retryAfterOf } from './errors.ts'
import type { Pace } from './pace.ts'
import type { Timer } from './time.ts'
import type { Tokens } from './tokens.ts'

export type Fetch = (request: Request) => Promise<Response>

type SendParts = {
  readonly fetch: Fetch
  readonly tokens: Tokens
  readonly pace: Pace
  readonly timer: Timer
  /** The longest wait for the rate or for a service that is away, before the refusal is thrown. */
  readonly maxWaitSeconds: number
}

/** What may be sent again where nobody knows whether it was done (RFC 9110 §9.2.2). */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']
const MAX_TRIES_WHILE_AWAY = 5

/** Sends requests with a token, in pace, and again where that helps; throws CampusError for what is refused. */
export const sender =
  ({ fetch, tokens, pace, timer, maxWaitSeconds }: SendParts): Fetch =>
  async (given) => {
    const request = withKey(given)
    let isNewToken = false
    for (let tries = 1; ; tries += 1) {
      const token = await tokens.current()
      await pace.turn(request.signal)
      const attempt = request.clone()
      attempt.headers.set('authorization', `Bearer ${token}`)
      const response = await fetch(attempt)
      pace.learn(response.headers)
      if (response.ok || response.status === 304) return response

      const seconds = waitAfter(request, response, tries)
      if (response.status === 401 && !isNewToken) {
        // It may have been revoked, or the service set up anew; a second new one would fare no better.
        isNewToken = true
        await tokens.forget(token)
      } else if (seconds !== undefined && seconds <= maxWaitSeconds) {
        if (response.status === 429) pace.hold(seconds * 1000)
        else await timer.wait(seconds * 1000, request.signal)
      } else throw await errorOf(request.method, request.url, response)
      await response.body?.cancel()
    }
  }

/** How long to wait before the same request may succeed; undefined where it would not, or might be done twice. */
function waitAfter(request: Request, { status, headers }: Response, tries: number): number | undefined {
  if (status === 429) return retryAfterOf(headers) ?? 1
  if (status !== 503 || tries >= MAX_TRIES_WHILE_AWAY) return undefined
  const isRepeatable = REPEATABLE.includes(request.method) || request.headers.has('idempotency-key')
  return isRepeatable ? (retryAfterOf(headers) ?? 1) * 2 ** (tries - 1) : undefined
}

/** What is sent with a key of its own is done once, however often it is sent: a POST, and what is taken away by a payload. */
function withKey(request: Request): Request {
  const isDoneAnew = request.method === 'POST' || (request.method === 'DELETE' && request.body !== null)
  if (!isDoneAnew || request.headers.has('idempotency-key')) return request
  const keyed = request.clone()
  keyed.headers.set('idempotency-key', crypto.randomUUID())
  return keyed
}
