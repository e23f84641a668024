import { CertificateError, ConnectionError } from './connection.ts'
import { CampusError } from './errors.ts'
import { eventReader } from './event-reader.ts'
import type { Timer } from './time.ts'

/** An event of a watched list or record. */
export type Change<T> = {
  /** Watching with `after: position` goes on after this change, also in another process. */
  readonly position: string
} & (
  | { readonly type: 'page'; readonly ids: readonly number[] }
  | { readonly type: 'create' | 'update'; readonly id: number; readonly record: T }
  | { readonly type: 'destroy'; readonly id: number }
  | { readonly type: 'reset' }
)

type Watched = {
  /** Opens the stream after a position, the first time with retries. Throws what a request throws. */
  readonly open: (after: string | undefined, signal: AbortSignal, isFirst: boolean) => Promise<Response>
  readonly after: string | undefined
  readonly signal: AbortSignal | undefined
  readonly timer: Timer
  readonly maxWaitSeconds: number
}

/** A heartbeat comes every 20 seconds; after this much silence nobody is there. */
const MAX_SILENCE = 60_000
/** Until the service says when to come back. */
const RETRY = 3_000

/**
 * Every change, also over connections that end: it comes back after the last position, without a gap. What is refused is thrown;
 * what passes by itself, as a service that is away, is waited for. Throws where the first connection fails. Ends with its signal.
 */
export async function* watchChanges({
  open,
  signal,
  timer,
  maxWaitSeconds,
  ...begin
}: Watched): AsyncGenerator<Change<unknown>, void> {
  let { after } = begin
  let retry = RETRY
  let hasBegun = false
  let failures = 0
  let askedFor = 0
  while (!signal?.aborted) {
    const ending = new AbortController()
    const end = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', end, { once: true })
    try {
      const { body } = await open(after, ending.signal, !hasBegun)
      hasBegun = true
      for await (const event of eventsOf(body, ending, timer)) {
        failures = 0
        askedFor = 0
        retry = event.retry ?? retry
        after = event.id ?? after
        const change = event.data === undefined ? undefined : changeOf(event.event, event.data, after ?? '')
        if (change) yield change
        if (signal?.aborted) return
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!hasBegun || !passes(error)) throw error
      askedFor = error instanceof CampusError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    } finally {
      signal?.removeEventListener('abort', end)
      // Also where the reader has left the loop.
      ending.abort()
    }
    const wait = Math.min(Math.max(retry * 2 ** failures, askedFor), maxWaitSeconds * 1000)
    failures += 1
    await timer.wait(wait, signal).catch((error) => {
      if (!signal?.aborted) throw error
    })
  }
}

/** Yields the events of one connection. Throws a ConnectionError if it breaks or is silent. */
async function* eventsOf(body: ReadableStream<Uint8Array> | null, ending: AbortController, timer: Timer) {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read = eventReader()
  for (;;) {
    const { done, value } = await inTime(() => reader.read(), ending, timer)
    if (done) return
    yield* read(decoder.decode(value, { stream: true }))
  }
}

async function inTime<T>(read: () => Promise<T>, ending: AbortController, timer: Timer): Promise<T> {
  const waiting = new AbortController()
  timer.wait(MAX_SILENCE, waiting.signal).then(
    () => ending.abort(),
    () => {},
  )
  try {
    return await read()
  } catch (error) {
    throw new ConnectionError('The stream broke off.', { cause: error })
  } finally {
    waiting.abort()
  }
}

/** Whether the same may succeed later. */
const passes = (error: unknown) =>
  (error instanceof ConnectionError && !(error instanceof CertificateError)) ||
  (error instanceof CampusError && (error.status === 429 || error.status >= 500))

function changeOf(type: string, data: string, position: string): Change<unknown> | undefined {
  const read = JSON.parse(data)
  if (type === 'page') return { type, position, ids: read.ids }
  if (type === 'create' || type === 'update') return { type, position, id: read.id, record: read }
  if (type === 'destroy') return { type, position, id: read.id }
  // Events of a later version are none of ours.
  return type === 'reset' ? { type, position } : undefined
}
