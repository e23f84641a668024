import { type AnyDatabase, run } from '../tables.ts'

/** `tier` is what the difficulty of a partnership was called in 2017 (spec: projects 26). */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'update partnerships set difficulty = tier where difficulty is null',
    'alter table partnerships drop column tier',
  )
}
