/** Limits of a run, since another service may never stop sending. */
export type MirrorLimits = {
  /** Pages of one list, with 100 records each. */
  readonly pages: number
  /** Size of all answers, uncompressed. */
  readonly mebibytes: number
  readonly hours: number
  /** Time that the service may let a copy wait between two answers. */
  readonly waitMinutes: number
}

/** Above the largest known school, whose 100,000 pages take 84 hours. */
export const MIRROR_LIMITS: MirrorLimits = { pages: 200_000, mebibytes: 51_200, hours: 168, waitMinutes: 180 }
