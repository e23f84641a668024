/** Limits of a copy, since what another service sends may never end. */
export type MirrorLimits = {
  /** Of one list in a run, of 100 records each. */
  readonly pages: number
  /** Of all answers of a run, uncompressed. */
  readonly mebibytes: number
  /** How long a run may take. */
  readonly hours: number
  /** How long the service may make a copy wait between two answers. */
  readonly waitMinutes: number
}

/** Above the largest known school, whose 100,000 pages take 84 hours. */
export const MIRROR_LIMITS: MirrorLimits = { pages: 200_000, mebibytes: 51_200, hours: 168, waitMinutes: 180 }
