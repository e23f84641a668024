import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { knownMigrations, type Migrations } from './migrations.ts'
import { type AnyDatabase, inTransaction } from './tables.ts'

/**
 * The migrations that a database or an archive has seen, with the baseline in place of the squashed ones; the same array where there
 * are none of these. Throws an Error that says what to do where only some of them were run.
 */
export async function currentMigrations(migrations: Migrations, names: readonly string[]): Promise<readonly string[]> {
  const { squashed } = migrations
  if (!squashed) return names
  const known = await knownMigrations(migrations)
  const former = names.filter((name) => name <= squashed.last && !known.includes(name)).sort()
  if (former.length === 0) return names
  if (createHash('sha256').update(former.join()).digest('hex') !== squashed.digest) {
    throw new Error(
      `The migrations up to ${former.at(-1)} are of no release: migrate or restore with commit ${squashed.lastCommit} first, then with this version`,
    )
  }
  return [...known.filter((name) => name <= squashed.lastOfBaseline), ...names.filter((name) => name > squashed.last)]
}

/** Names the baseline in place of the squashed migrations that a database has seen, and changes nothing else. Locks out other processes that migrate. */
export async function adoptBaseline(db: AnyDatabase, migrations: Migrations): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`lock table kysely_migration in exclusive mode`.execute(tx)
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(tx)
    const current = await currentMigrations(
      migrations,
      rows.map(({ name }) => name),
    )
    await sql`
      insert into kysely_migration (name, timestamp)
      select name, (select min(timestamp) from kysely_migration) from unnest(${current}::text[]) as given (name) on conflict do nothing
    `.execute(tx)
    await sql`delete from kysely_migration where name <> all(${current}::text[])`.execute(tx)
    await sql`delete from compatible_migrations where name <> all(${current}::text[])`.execute(tx)
  })
}

/** The newest migration that this release knows, squashed ones included. */
export async function newestMigration(migrations: Migrations): Promise<string> {
  const known = await knownMigrations(migrations)
  return [...known, migrations.squashed?.last ?? ''].sort().at(-1) ?? ''
}
