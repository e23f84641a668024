import { defined } from '@campus/engine/base/defined'
import type { Progress } from '@campus/engine/base/progress'
import type { Handle } from '@campus/engine/database/database'
import type { DB } from '@campus/intranet/schema'
import { sql } from 'kysely'
import { insertRows, readColumnTypes, type SeedRow } from './bulk-insert.ts'
import { withoutIndexes } from './bulk-load.ts'
import { Random } from './random.ts'
import { openedAt } from './time.ts'

export type SeedOptions = {
  readonly users?: number
  /** Defaults to 20 per user. */
  readonly locations?: number
  /** Each seed gives other people in the same school. */
  readonly seed?: number
  readonly now?: Date
  /** Uses the ids, names and slugs of campuses, cursus and projects that public programs contain. */
  readonly likeTheNetwork?: boolean | undefined
  /** Enables the webservices. Defaults to false. */
  readonly webservicesAreOn?: boolean | undefined
  /** Stores the attachments of projects, before the seed writes anything. Without it projects have links only. */
  readonly files?: ((now: Date, subjects: readonly SubjectOrder[]) => Promise<SeedFiles>) | undefined
}

export type SeedFile = { readonly id: number; readonly name: string }
export type SeedPdf = SeedFile & { readonly thumbId: number; readonly pageCount: number }

/** The subject of a project in one language, to be written as a PDF. */
export type SubjectOrder = {
  readonly slug: string
  readonly language: 'en' | 'fr'
  readonly title: string
  readonly about: string
  readonly tasks: readonly string[]
}

/** Stored files. Attachments may share all but the subjects. */
export type SeedFiles = {
  /** By `slug language` of the project. */
  readonly subjects: ReadonlyMap<string, SeedPdf>
  readonly paper: SeedPdf
  readonly film: SeedFile
  readonly code: SeedFile
  readonly document: SeedFile
}

/** Rows per table. */
export type SeedSummary = Readonly<Record<string, number>>

export type World = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly users: number
  readonly locations: number
  readonly webservicesAreOn: boolean
  random(subject: string): Random
  /**
   * Inserts the first rows of a table. Rows without `id` are numbered from 1, rows without `created_at` are as old as
   * the school, and rows without `updated_at` have not changed since. Generators pass the `total` number of rows.
   */
  insert<T extends keyof DB>(table: T, rows: Iterable<SeedRow<T>>, total?: number): Promise<void>
  run(statement: string): Promise<void>
  /** Runs an `insert … select` into the table. It must order its rows, so that their ids are always the same. */
  derive(table: string, statement: string): Promise<void>
  /** Adds the number of rows of a table to the summary. */
  count(table: string): Promise<void>
  readonly summary: SeedSummary
}

const LARGE_TABLE = 20_000
/** Number of users from which derived tables are large. */
const LARGE_SCHOOL = 5_000

export function createWorld(db: Handle, options: SeedOptions, progress: Progress): World {
  const { users = 600, locations = users * 20, seed = 42, now = new Date() } = options
  const summary: Record<string, number> = {}
  async function count(table: string): Promise<void> {
    const { rows } = await sql<{ count: string }>`select count(*) from ${sql.id(table)}`.execute(db.kysely)
    summary[table] = Number(rows[0]?.count)
    progress(table, summary[table], summary[table])
  }
  let types: Awaited<ReturnType<typeof readColumnTypes>> | undefined
  const load = async (table: string, isLarge: boolean, work: () => Promise<void>) => {
    if (!isLarge) return work()
    await withoutIndexes(db, table, work)
    // Autovacuum does not see rows that are not committed yet.
    await sql`analyze ${sql.id(table)}`.execute(db.kysely)
  }
  return {
    now: now.getTime(),
    users,
    locations: users > 0 ? locations : 0,
    webservicesAreOn: options.webservicesAreOn ?? false,
    summary,
    random: (subject) => new Random(seed, subject),
    async run(statement) {
      await sql.raw(statement).execute(db.kysely)
    },
    async derive(table, statement) {
      await load(table, users >= LARGE_SCHOOL, async () => void (await sql.raw(statement).execute(db.kysely)))
      await count(table)
    },
    count,
    async insert(table, rows, given) {
      const total = given ?? (Array.isArray(rows) ? rows.length : 0)
      progress(table, 0, total)
      types ??= await readColumnTypes(db)
      const columns = defined(types.get(table))
      const isLarge = total > LARGE_TABLE
      await load(table, isLarge, async () => {
        summary[table] = await insertRows(db, table, columns, complete(rows, openedAt(now.getTime())), {
          batchSize: isLarge ? 20_000 : 5_000,
          onProgress: (done) => progress(table, done, total),
        })
      })
    },
  }
}

function* complete(rows: Iterable<Readonly<Record<string, unknown>>>, opened: number) {
  let id = 0
  for (const row of rows) {
    id += 1
    const { created_at = opened, updated_at = created_at } = row
    yield { id, ...row, created_at, updated_at }
  }
}
