import { sql } from 'kysely'
import { primaryNameOf } from '../base/time-zones.ts'
import { aheadOfUtc } from '../base/zoned-times.ts'
import type { Handle } from './handle.ts'

type Reader = Pick<Handle, 'kysely'>

/**
 * Names of zones in the database, by the names in lower case. Names that were looked up are added, with undefined for a zone
 * that the database lacks.
 */
type ZoneNames = Map<string, string | undefined>

const namesByDatabase = new WeakMap<Reader['kysely'], Promise<ZoneNames>>()

/**
 * Returns the name under which the database knows a time zone. Every zone that reaches SQL must come from here: Node knows
 * `Asia/Kolkata` as `Asia/Calcutta`, which PostgreSQL lacks on a system without the former names of zones. Returns a fixed
 * offset, that of now, for a zone that only Node knows.
 */
export async function databaseTimeZone({ kysely }: Reader, timeZone: string): Promise<string> {
  if (timeZone === 'UTC') return timeZone
  const names = await namesIn(kysely)
  const key = timeZone.toLowerCase()
  if (!names.has(key)) names.set(key, otherName(names, timeZone))
  return names.get(key) ?? fixedOffset(timeZone)
}

function namesIn(kysely: Reader['kysely']): Promise<ZoneNames> {
  const found = namesByDatabase.get(kysely)
  if (found) return found
  const reading = readNames(kysely)
  namesByDatabase.set(kysely, reading)
  reading.catch(() => namesByDatabase.delete(kysely))
  return reading
}

async function readNames(kysely: Reader['kysely']): Promise<ZoneNames> {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(kysely)
  return new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
}

/** Returns the name that the database has for the zone, if any. */
function otherName(names: ZoneNames, timeZone: string): string | undefined {
  const primary = primaryNameOf(timeZone)
  if (primary === undefined) return undefined
  const sameZone = (name: string | undefined) => name !== undefined && primaryNameOf(name) === primary
  return names.get(primary.toLowerCase()) ?? [...names.values()].find(sameZone)
}

/** Writes the offset of a zone as PostgreSQL reads it: `<+0530>-05:30`, with the sign of POSIX. */
function fixedOffset(timeZone: string): string {
  const minutes = Math.round(aheadOfUtc(timeZone, Date.now()) / 60_000)
  const [sign, inverse] = minutes < 0 ? ['-', '+'] : ['+', '-']
  const digits = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `<${sign}${digits.join('')}>${inverse}${digits.join(':')}`
}
