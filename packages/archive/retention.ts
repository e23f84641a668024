/**
 * Returns the name of a scheduled backup. Names sort by time. `school` is the id of the installation, since several may share
 * a folder and must not delete each other's.
 */
export const scheduledName = (madeAt: Date, school: string): string =>
  `campus-${madeAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${school}.campus`

/** Whether the name is that of a scheduled backup of the school. Backups of releases up to 0.2 name no school. */
export const isOfSchool = (name: string, school: string): boolean =>
  timeOfName(name) !== undefined && name.endsWith(`Z-${school}.campus`)

/** Returns when the backup of this name was made, or undefined if it is not the name of a scheduled backup. */
export function timeOfName(name: string): Date | undefined {
  const [, day, time] = /^campus-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)Z(?:-[0-9a-f]+)?\.campus$/.exec(name) ?? []
  const madeAt = new Date(`${day}T${time?.replaceAll('-', ':')}Z`)
  return Number.isNaN(madeAt.getTime()) ? undefined : madeAt
}

const HOUR_MS = 3_600_000

/**
 * Selects the names of scheduled backups up to now. Clocks of machines may differ by an hour. A later name is from a wrong
 * clock, and does not show when the last backup was made.
 */
export const pastNames = (names: readonly string[], now: Date): readonly string[] =>
  names.filter((name) => (timeOfName(name)?.getTime() ?? Number.NaN) <= now.getTime() + HOUR_MS)

/** Numbers of latest days and weeks of which a backup of the school is kept. */
type Retention = { readonly school: string; readonly daily: number; readonly weekly: number }

const DAY_MS = 86_400_000

/**
 * Returns the names of the backups to delete: all but the last one of each of the latest `daily` days and `weekly` weeks.
 * Ignores other files, backups of other schools, and backups named after a future time.
 */
export function expiredNames(
  names: readonly string[],
  { school, daily, weekly }: Retention,
  now: Date,
): readonly string[] {
  const found = pastNames(names, now)
    .filter((name) => isOfSchool(name, school))
    .flatMap((name) => {
      const madeAt = timeOfName(name)
      return madeAt ? [{ name, day: Math.floor(madeAt.getTime() / DAY_MS) }] : []
    })
    .sort((one, other) => (one.name < other.name ? 1 : -1))
  const lastOf = (period: (day: number) => number, count: number) =>
    [...Map.groupBy(found, ({ day }) => period(day)).values()].slice(0, count).flatMap(([last]) => last?.name ?? [])
  // The first of January 1970 was a Thursday; weeks begin on Mondays.
  const retained = new Set([...lastOf((day) => day, daily), ...lastOf((day) => Math.floor((day + 3) / 7), weekly)])
  return found.map(({ name }) => name).filter((name) => !retained.has(name))
}
