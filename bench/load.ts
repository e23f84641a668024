import autocannon, { type Request } from 'autocannon'

/** A server under test. */
export type Target = {
  /** `https://127.0.0.1:port` */
  readonly url: string
  /** Headers to add to every request. */
  readonly headers: Readonly<Record<string, string>>
}

/** Server and requests of a measurement. */
export type Asking = {
  readonly target: Target
  /** Requests to send in turn, or a generator of requests. */
  readonly asked: readonly Request[] | (() => Request)
  /** Expected status of every response. Default: any 2xx. */
  readonly status?: number | undefined
}

export type Load = { readonly connections: number; readonly seconds: number }

/** Result of a measurement. Times are in milliseconds. */
export type Sample = { readonly requestsPerSecond: number; readonly p50: number; readonly p99: number }

/** A result with the number of all responses, including those outside of the measured time. */
type Measured = Sample & { readonly answers: number }

/** Time for opening connections. Responses in this time do not count. */
const START_SECONDS = 0.1

/** Maximum number of repeats, each twice as long, while no response arrives. */
const MAX_REPEATS = 6

/**
 * Sends requests one after another on each of `connections` persistent connections (TLS, HTTP/1.1). Throws if a
 * response has another status than expected, or if a connection fails.
 */
export async function measure(asking: Asking, load: Load, repeats = MAX_REPEATS): Promise<Measured> {
  const { target, asked, status } = asking
  const { connections, seconds } = load
  let started = 0
  const measuring = autocannon({
    ...target,
    connections,
    duration: START_SECONDS + seconds,
    sampleInt: 50,
    // Each connection starts at another request, so that they do not request the same record at the same time.
    setupClient(client) {
      if (typeof asked === 'function') {
        client.setRequests([{ setupRequest: (defaults) => complete(asked(), defaults) }])
        return
      }
      const first = Math.floor((started / connections) * asked.length)
      started += 1
      // Some requests are limited by address, so each connection has its own.
      const address = { 'x-forwarded-for': `10.0.0.${started % 256}` }
      client.setRequests(
        [...asked.slice(first), ...asked.slice(0, first)].map((request) => ({
          ...request,
          headers: { ...target.headers, ...request.headers, ...address },
        })),
      )
    },
  })
  const from = performance.now() + START_SECONDS * 1000
  const until = from + seconds * 1000
  const times: number[] = []
  let others = 0
  let answers = 0
  measuring.on('response', (_client, given, _bytes, milliseconds) => {
    answers += 1
    if (status === undefined ? given < 200 || given > 299 : given !== status) others += 1
    const now = performance.now()
    if (now >= from && now < until) times.push(milliseconds)
  })
  const { errors, timeouts } = await measuring
  const hasFailed = others + errors + timeouts > 0
  if (!hasFailed && times.length === 0 && repeats > 0)
    return measure(asking, { connections, seconds: 2 * seconds }, repeats - 1)
  if (hasFailed || times.length === 0) {
    const { path } = (typeof asked === 'function' ? asked() : asked[0]) as Request
    const wanted = status ?? '2xx'
    const failed = `${others} not ${wanted}, ${errors} failed, ${timeouts} too late`
    throw new Error(`${target.url}${path}: ${times.length} answers counted, ${failed}`)
  }
  times.sort((one, other) => one - other)
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] as number
  return { requestsPerSecond: times.length / seconds, p50: quantile(0.5), p99: quantile(0.99), answers }
}

const complete = (request: Request, defaults: Request): Request => ({
  ...defaults,
  ...request,
  headers: { ...defaults.headers, ...request.headers },
})
