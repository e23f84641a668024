/** At most `points` requests in `seconds`. */
export type Window = {
  readonly points: number
  readonly seconds: number
  /**
   * Usually the time begins with the first request, and the limit is exact. A paced window is a token bucket that holds one spare
   * token and refills evenly, so that a client that spaces its requests by `seconds / points` may be a little early.
   */
  readonly isPaced?: boolean
}

/** A request that is to be counted. */
export type Spending = {
  /** Key of the requests that are counted together, such as `application 7`. */
  readonly by: string
  /**
   * `every`: it needs room in each window, and where one has none it takes nothing of those that follow. `any`: it takes from
   * the first window that has room. `nothing`: it takes nothing, to see what is left.
   */
  readonly needs: 'every' | 'any' | 'nothing'
  readonly windows: readonly Window[]
}

/** Its outcome. */
export type Spent = {
  /** The window that has no room, the last of them where any would have done; undefined where the request was counted. */
  readonly refusedBy: number | undefined
  /** How many requests each window has left. Windows that follow the one that was taken from by `any` are left out. */
  readonly left: readonly number[]
  /** How long until it may be tried again; 0 where it was not refused. */
  readonly waitMilliseconds: number
}

/** A store that counts requests. */
export type RateStore = { spend(spending: Spending): Promise<Spent> }
