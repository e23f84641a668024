import { defined } from '@campus/engine/base/defined'
import type { Progress } from '@campus/engine/base/progress'
import type { Handle } from '@campus/engine/database/database'
import type { DB } from '@campus/intranet/schema'
import { sql } from 'kysely'
import { insertRows, readColumnTypes, type SeedRow } from './bulk-insert.ts'
import { withoutIndexes } from './bulk-load.ts'
import { Random } from './random.ts'

/** How large the school is, and what it is made from: the same options give the same rows. */
export type SeedOptions = {
  readonly users?: number
  /** About twenty for each user by default. */
  readonly locations?: number
  /** Another number gives other people in the same school. */
  readonly seed?: number
  readonly now?: Date
  /** With the ids, names and slugs of campuses, cursus and projects that are written into public programs. */
  readonly likeTheNetwork?: boolean | undefined
  /** Whether webservices are called from now on; off by default. */
  readonly webservicesAreOn?: boolean | undefined
  /** Makes and stores what is attached to projects; called before the seed writes anything. Without it only links are. */
  readonly files?: ((now: Date, subjects: readonly SubjectOrder[]) => Promise<SeedFiles>) | undefined
}

/** A stored file, and what it is called. */
export type SeedFile = { readonly id: number; readonly name: string }
export type SeedPdf = SeedFile & { readonly thumbId: number; readonly pageCount: number }

/** A subject to be made: of which project, in which language. */
export type SubjectOrder = {
  readonly slug: string
  readonly language: 'en' | 'fr'
  readonly title: string
  readonly about: string
  readonly tasks: readonly string[]
}

/** Stored files; attachments may share all but the subjects. */
export type SeedFiles = {
  /** By the slug of the project, and the language. */
  readonly subjects: ReadonlyMap<string, SeedPdf>
  readonly paper: SeedPdf
  readonly film: SeedFile
  readonly code: SeedFile
  readonly document: SeedFile
}

/** Rows per table. */
export type SeedSummary = Readonly<Record<string, number>>

/** What every part of the seed is handed. */
export type World = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly users: number
  readonly locations: number
  readonly webservicesAreOn: boolean
  random(subject: string): Random
  /** `total` says how many rows there will be, where they are made one by one. */
  insert<T extends keyof DB>(table: T, rows: Iterable<SeedRow<T>>, total?: number): Promise<void>
  /** One statement about rows that are there already: what follows from them, or joins them both ways. */
  run(statement: string): Promise<void>
  /** Rows of a table that follow from others: one `insert … select`, in an order that repeats itself. */
  derive(table: string, statement: string): Promise<void>
  /** Reports how many rows a table has. */
  count(table: string): Promise<void>
  readonly summary: SeedSummary
}

const LARGE_TABLE = 20_000
/** Its tables of what everybody did have so many rows. */
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
    // Statistics are updated for the statements that read it; these rows are not visible to others yet.
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
        summary[table] = await insertRows(db, table, columns, rows, {
          batchSize: isLarge ? 20_000 : 5_000,
          onProgress: (done) => progress(table, done, total),
        })
      })
    },
  }
}
