import autocannon, { type Request } from 'autocannon'

/** A server under test. */
export type Target = {
  /** `https://127.0.0.1:port` */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What one stretch of load showed; times are in milliseconds. */
export type Sample = { readonly requestsPerSecond: number; readonly p50: number; readonly p99: number }

export type Load = {
  /** One after another, or made by chance. */
  readonly asked: readonly string[] | (() => Request)
  /** Answers are 304. */
  readonly isKnown?: boolean
  readonly connections: number
  readonly seconds: number
}

/** Until then connections are being opened; what is answered meanwhile does not count. */
const START_SECONDS = 0.1

/**
 * Keeps so many connections (TLS, HTTP/1.1, kept alive) busy for a while, each with one request after another.
 * Throws when an answer is not what is expected or a connection fails.
 */
export async function measure(
  { url, headers }: Target,
  { asked, isKnown = false, connections, seconds }: Load,
): Promise<Sample> {
  let started = 0
  const load = autocannon({
    url,
    headers,
    connections,
    duration: START_SECONDS + seconds,
    sampleInt: 50,
    // Each connection begins elsewhere in the list, so that they do not all ask for the same record at once.
    setupClient(client) {
      if (typeof asked === 'function') {
        client.setRequests([{ setupRequest: (request) => ({ ...request, ...asked() }) }])
        return
      }
      const first = Math.floor((started / connections) * asked.length)
      started += 1
      client.setRequests([...asked.slice(first), ...asked.slice(0, first)].map((path) => ({ path })))
    },
  })
  const from = performance.now() + START_SECONDS * 1000
  const until = from + seconds * 1000
  const times: number[] = []
  load.on('response', (_client, _status, _bytes, milliseconds) => {
    const now = performance.now()
    if (now >= from && now < until) times.push(milliseconds)
  })
  const { non2xx, errors, timeouts, '3xx': known } = await load
  const others = isKnown ? non2xx - known : non2xx
  if (others + errors + timeouts > 0 || times.length === 0) {
    const what = typeof asked === 'function' ? '' : asked[0]
    throw new Error(`${url}${what}: ${others} answers were others, ${errors} failed, ${timeouts} came too late`)
  }
  times.sort((one, other) => one - other)
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] as number
  return { requestsPerSecond: times.length / seconds, p50: quantile(0.5), p99: quantile(0.99) }
}
