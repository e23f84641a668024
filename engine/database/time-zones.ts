import { sql } from 'kysely'
import { primaryNameOf } from '../base/time-zones.ts'
import { aheadOfUtc } from '../base/zoned-times.ts'
import type { Handle } from './handle.ts'

type Reader = Pick<Handle, 'kysely'>

/** Names of zones in the database by lower-case name. Looked-up names are cached, also if the database lacks them. */
type ZoneNames = Map<string, string | undefined>

const namesByDatabase = new WeakMap<Reader['kysely'], Promise<ZoneNames>>()

/**
 * Returns the name of a time zone in the database. Every zone in SQL must come from here: Node calls `Asia/Kolkata` `Asia/Calcutta`,
 * which PostgreSQL may lack. Returns the current fixed offset of a zone that only Node knows.
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

function otherName(names: ZoneNames, timeZone: string): string | undefined {
  const primary = primaryNameOf(timeZone)
  if (primary === undefined) return undefined
  const sameZone = (name: string | undefined) => name !== undefined && primaryNameOf(name) === primary
  return names.get(primary.toLowerCase()) ?? [...names.values()].find(sameZone)
}

/** Returns the offset of a zone in PostgreSQL's format: `<+0530>-05:30`, with the sign of POSIX. */
function fixedOffset(timeZone: string): string {
  const minutes = Math.round(aheadOfUtc(timeZone, Date.now()) / 60_000)
  const [sign, inverse] = minutes < 0 ? ['-', '+'] : ['+', '-']
  const digits = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `<${sign}${digits.join('')}>${inverse}${digits.join(':')}`
}
