import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { knownMigrations } from './migration-files.ts'
import { type AnyDatabase, inTransaction } from './tables.ts'

/** The last of the migrations that no release carried. The baseline makes what they made; the numbers of all others are higher. */
export const LAST_FORMER = '0480_mail_leases'
const LAST_OF_BASELINE = '0010_webhooks'
/** Of all their names. */
const FORMER_DIGEST = '7c8545899d96061c93136293d35683e91b5946d506de4b0dbcc8540f6b39148d'
/** The last commit with them. */
const FORMER_COMMIT = 'afb3b95'

/**
 * The migrations that a database or an archive has seen, with the baseline in place of the former ones; the same array where there are
 * none of these. Throws an Error that says what to do where only some of them were run.
 */
export async function currentMigrations(names: readonly string[]): Promise<readonly string[]> {
  const known = await knownMigrations()
  const former = names.filter((name) => name <= LAST_FORMER && !known.includes(name)).sort()
  if (former.length === 0) return names
  if (createHash('sha256').update(former.join()).digest('hex') !== FORMER_DIGEST) {
    throw new Error(
      `The migrations up to ${former.at(-1)} are of no release: migrate or restore with commit ${FORMER_COMMIT} first, then with this version`,
    )
  }
  return [...known.filter((name) => name <= LAST_OF_BASELINE), ...names.filter((name) => name > LAST_FORMER)]
}

/** Names the baseline in place of the former migrations that a database has seen, and changes nothing else. Locks out other processes that migrate. */
export async function adoptFormer(db: AnyDatabase): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`lock table kysely_migration in exclusive mode`.execute(tx)
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(tx)
    const current = await currentMigrations(rows.map(({ name }) => name))
    await sql`
      insert into kysely_migration (name, timestamp)
      select name, (select min(timestamp) from kysely_migration) from unnest(${current}::text[]) as given (name) on conflict do nothing
    `.execute(tx)
    await sql`delete from kysely_migration where name <> all(${current}::text[])`.execute(tx)
    await sql`delete from compatible_migrations where name <> all(${current}::text[])`.execute(tx)
  })
}

/** The newest migration that this release knows of, by itself or as one of the former. */
export async function newestMigration(): Promise<string> {
  const newest = (await knownMigrations()).at(-1) ?? ''
  return newest > LAST_FORMER ? newest : LAST_FORMER
}
