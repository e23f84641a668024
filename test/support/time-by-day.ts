/** When a user was logged in, in milliseconds since 1970; the end is null while they are. */
export type Stay = { readonly beginAt: number; readonly endAt: number | null }

type Asked = { readonly zone: string; readonly since: number; readonly until: number; readonly now: number }

const QUARTER = 900_000
const MAX_LENGTH = 86_400_000

/**
 * Milliseconds by day, the latest first: another count of what the service counts, without its statement. Every quarter of
 * an hour that has time in it goes to the day that clocks show in it, since those of no zone change within one.
 */
export function timeByDay(stays: readonly Stay[], { zone, since, until, now }: Asked): [day: string, time: number][] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const clipped = stays.map(({ beginAt, endAt }) => ({
    begin: Math.max(beginAt, since),
    end: Math.min(endAt ?? now, until, now),
  }))
  const days = new Map<string, number>()
  let passed = 0
  for (const { begin, end } of clipped.sort((one, other) => one.begin - other.begin)) {
    for (let at = Math.max(begin, passed); at < end; ) {
      const next = Math.min(end, (Math.floor(at / QUARTER) + 1) * QUARTER)
      const day = format.format(at)
      days.set(day, (days.get(day) ?? 0) + next - at)
      at = next
    }
    passed = Math.max(passed, end)
  }
  return [...days].map(([day, time]): [string, number] => [day, Math.min(time, MAX_LENGTH)]).sort(latestFirst)
}

const latestFirst = ([one]: readonly [string, number], [other]: readonly [string, number]) => (one < other ? 1 : -1)
