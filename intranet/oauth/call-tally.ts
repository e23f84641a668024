export type Call = {
  /** Method and pattern, such as `GET /v2/users/:id`, never the path that the client sent. */
  readonly route: string
  readonly status: number
  /** One word for the reason of a refusal. */
  readonly reason: string
}

export type RefusedCall = Call & { readonly at: Date }

/** Calls of an application in an hour. */
export type CountedCalls = {
  readonly applicationId: number
  readonly hourMs: number
  readonly made: number
  /** Over the rate, or without the right. */
  readonly refused: number
  readonly byRoute: readonly { readonly route: string; readonly status: number; readonly made: number }[]
  /** The latest refused calls, the oldest first. */
  readonly refusals: readonly RefusedCall[]
}

/** Over the rate, or without the right. */
const REFUSED = new Set([403, 429])

/**
 * Maximum number of pairs of route and status in an hour. Further ones count as `OTHER_ROUTES`, so that a client that tries
 * every route fills no disk.
 */
const MAX_PAIRS = 60
export const OTHER_ROUTES = 'other'
const MAX_REFUSALS = 20

/** Counts the calls of one application in one hour. */
export class CallTally {
  readonly applicationId: number
  readonly hourMs: number
  #made = 0
  #refused = 0
  /** By route and status. Pairs without new calls stay, since they have rows already. */
  readonly #byRoute = new Map<string, Map<number, number>>()
  #pairs = 0
  #refusals: RefusedCall[] = []

  constructor(applicationId: number, hourMs: number) {
    this.applicationId = applicationId
    this.hourMs = hourMs
  }

  get isEmpty(): boolean {
    return this.#made === 0
  }

  add(call: Call, at: Date): void {
    const { route, status } = call
    this.#made += 1
    if (REFUSED.has(status)) this.#refused += 1
    this.#count(route, status, 1)
    if (status < 400 || status >= 500) return
    if (this.#refusals.length >= MAX_REFUSALS) this.#refusals.shift()
    this.#refusals.push({ ...call, at })
  }

  /** Returns and resets the counts since the last call. */
  take(): CountedCalls {
    const { applicationId, hourMs } = this
    const byRoute = [...this.#byRoute].flatMap(([route, statuses]) =>
      [...statuses].flatMap(([status, made]) => (made === 0 ? [] : [{ route, status, made }])),
    )
    const taken = {
      applicationId,
      hourMs,
      made: this.#made,
      refused: this.#refused,
      byRoute,
      refusals: this.#refusals,
    }
    this.#made = 0
    this.#refused = 0
    this.#refusals = []
    for (const { route, status } of byRoute) this.#byRoute.get(route)?.set(status, 0)
    return taken
  }

  /** Adds counts that could not be written. */
  putBack({ made, refused, byRoute, refusals }: CountedCalls): void {
    this.#made += made
    this.#refused += refused
    for (const one of byRoute) this.#count(one.route, one.status, one.made)
    this.#refusals = [...refusals, ...this.#refusals].slice(-MAX_REFUSALS)
  }

  #count(route: string, status: number, made: number): void {
    const known = this.#byRoute.get(route)?.get(status)
    if (known !== undefined) {
      this.#byRoute.get(route)?.set(status, known + made)
      return
    }
    if (this.#pairs >= MAX_PAIRS && route !== OTHER_ROUTES) {
      this.#count(OTHER_ROUTES, status, made)
      return
    }
    this.#pairs += 1
    const statuses = this.#byRoute.get(route) ?? new Map<number, number>()
    statuses.set(status, made)
    this.#byRoute.set(route, statuses)
  }
}
