import { explained, TimeoutError } from './connection.ts'
import { abortable } from './time.ts'

export type Fetch = (request: Request) => Promise<Response>

/** A request of which copies can be sent, one for each attempt. */
export type Outgoing = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: ArrayBuffer | undefined
}

type Attempt = {
  readonly fetch: Fetch
  readonly timeoutSeconds: number
  readonly signal: AbortSignal | undefined
  /** Whether the body is left to be read as it comes, where it is no refusal; the time ends with the headers then. */
  readonly isStream?: boolean
  /** Number of the attempt, from 1 on. */
  readonly number: number
}

/** Statuses whose answers have no body. */
const EMPTY = [101, 204, 205, 304]
/** setTimeout takes no more. */
const MAX_MILLISECONDS = 2 ** 31 - 1

/**
 * Sends a request once and reads the whole answer. Throws the reason of the signal where that is aborted, at once, and
 * ConnectionError where no answer comes in time.
 */
export async function sendOnce(outgoing: Outgoing, attempt: Attempt): Promise<Response> {
  const { fetch, timeoutSeconds, signal, isStream = false, number } = attempt
  const { origin } = new URL(outgoing.url)
  signal?.throwIfAborted()
  const ending = new AbortController()
  const abort = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const late = new TimeoutError(`No answer from ${origin} within ${timeoutSeconds} seconds.`, { attempts: number })
  const timeout = setTimeout(() => ending.abort(late), Math.min(timeoutSeconds * 1000, MAX_MILLISECONDS))
  let isLeftOpen = false
  try {
    const response = await abortable(fetch(requestOf(outgoing, ending.signal)), ending.signal)
    isLeftOpen = isStream && response.ok
    if (isLeftOpen) return response
    const { status, statusText, headers } = response
    const body = await abortable(response.arrayBuffer(), ending.signal)
    return new Response(EMPTY.includes(status) ? null : body, { status, statusText, headers })
  } catch (error) {
    // Runtimes differ in what they throw for a signal.
    if (ending.signal.aborted) throw ending.signal.reason
    throw isOfNetwork(error) ? explained(error, origin, number) : error
  } finally {
    clearTimeout(timeout)
    if (!isLeftOpen) signal?.removeEventListener('abort', abort)
  }
}

/** Reports whether `fetch` failed as the standard says, or with a code, as a custom `fetch` may. Other errors are bugs of the custom `fetch`. */
const isOfNetwork = (error: unknown) => error instanceof TypeError || typeof Object(error).code === 'string'

function requestOf({ method, url, headers, body }: Outgoing, signal: AbortSignal): Request {
  // The token is the only credential, and goes to no other address.
  return new Request(url, { method, headers, body: body ?? null, signal, credentials: 'omit', redirect: 'error' })
}
