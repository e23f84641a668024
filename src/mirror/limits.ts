/** How much of another service is read: what goes beyond is refused, as it may never end. */
export type MirrorLimits = {
  /** Of one list in a run, of 100 records each. */
  readonly pages: number
  /** Of all answers of a run, uncompressed. */
  readonly mebibytes: number
  /** How long a run may take. */
  readonly hours: number
  /** How long the service may have us wait before it answers again. */
  readonly waitMinutes: number
}

/** Beyond what the largest school known has: it reads 100,000 pages in 84 hours. */
export const MIRROR_LIMITS: MirrorLimits = { pages: 200_000, mebibytes: 51_200, hours: 168, waitMinutes: 180 }
