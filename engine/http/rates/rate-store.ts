export type Window = {
  readonly points: number
  readonly seconds: number
  /**
   * A window begins with its first request, and its limit is exact. A paced window is a token bucket with one spare token that refills
   * evenly, so that a client with one request per `seconds / points` may be a little early.
   */
  readonly isPaced?: boolean
}

export type Spending = {
  /** Key of the requests that are counted together, such as `application 7`. */
  readonly by: string
  /**
   * `every` needs room in each window, and spends nothing of the windows after one without room. `any` spends the first window with
   * room. `nothing` only looks.
   */
  readonly needs: 'every' | 'any' | 'nothing'
  readonly windows: readonly Window[]
}

export type Spent = {
  /** Index of the window without room (for `any`, the last one), or undefined if the request was counted. */
  readonly refusedBy: number | undefined
  /** Remaining requests of each window. Ends with the window that `any` has spent. */
  readonly left: readonly number[]
  /** Time until the next attempt, or 0 if the request was counted. */
  readonly waitMilliseconds: number
}

export type RateStore = { spend(spending: Spending): Promise<Spent> }
