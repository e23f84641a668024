import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { knownMigrations, type Migrations } from './migrations.ts'
import { type AnyDatabase, inTransaction } from './tables.ts'

/** Replaces squashed migrations by their baseline. Throws an Error with advice if only some of them were run. */
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

/** Records the baseline instead of the squashed migrations. Excludes other processes that migrate. */
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

/** Returns the newest migration of this release, including squashed ones. */
export async function newestMigration(migrations: Migrations): Promise<string> {
  const known = await knownMigrations(migrations)
  return [...known, migrations.squashed?.last ?? ''].sort().at(-1) ?? ''
}
