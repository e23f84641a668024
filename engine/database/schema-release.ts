import { type Kysely, sql } from 'kysely'
import { serviceVersion } from '../base/service.ts'
import { DatabaseUnusable } from './errors.ts'
import type { AnyDatabase } from './tables.ts'

/** A release has changed the database beside which this one cannot serve. */
export class SchemaTooNew extends DatabaseUnusable {
  constructor(migration: string) {
    super(`a newer release has changed the database (${migration}), and this one would show what is no longer so`)
    this.name = 'SchemaTooNew'
  }
}

/**
 * SQL for the latest migration after the one of parameter `newest` with which earlier releases cannot serve. The array
 * is read only where there is one, so that it is an index lookup (a join would read the whole table).
 */
export const incompatibleAfter = (newest: string): string =>
  `(select max(name) from kysely_migration
     where name > ${newest} and name <> all(array(select name from compatible_migrations)))`

/**
 * The latest of these migrations with which releases that do not know it cannot serve; undefined where there is none.
 */
export async function incompatibleAmong<T>(kysely: Kysely<T>, names: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    select max(name) as name from unnest(${names}::text[]) as given (name)
    where not exists (select from compatible_migrations c where c.name = given.name)
  `.execute(kysely)
  return rows[0]?.name ?? undefined
}

/** Records that the running migration is compatible with former releases. */
export async function noteCompatible<T>(tx: Kysely<T>, name: string): Promise<void> {
  await sql`insert into compatible_migrations (name) values (${name}) on conflict do nothing`.execute(tx)
}

/** Whether functions, triggers and indexes are those of a newer release, which stay as they are. */
export async function isOfNewerRelease(db: AnyDatabase): Promise<boolean> {
  const { rows } = await sql<{ isNewer: boolean }>`
    select ${numbersOf(sql`version`)} > ${numbersOf(sql`${serviceVersion()}::text`)} as "isNewer" from schema_release
  `.execute(db)
  return rows[0]?.isNewer === true
}

/** Whether they are those of this release, as far as they have not been changed by hand since. */
export async function isOfThisRelease(db: AnyDatabase): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version from schema_release`.execute(db)
  return rows[0]?.version === serviceVersion()
}

/** Notes that they are those of this release from now on. */
export async function noteRelease(db: AnyDatabase): Promise<void> {
  await sql`
    update schema_release set version = ${serviceVersion()}
    where ${numbersOf(sql`version`)} < ${numbersOf(sql`${serviceVersion()}::text`)}
  `.execute(db)
}

/** `1.10.0-rc.1` as {1,10,0}: what comes before a release counts as it. */
export const numbersOf = (version: ReturnType<typeof sql>) =>
  sql`string_to_array(substring(${version} from '^\\d+(?:\\.\\d+)*'), '.')::int[]`
