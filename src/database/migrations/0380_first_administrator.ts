import { type AnyDatabase, createTable, ID } from '../tables.ts'

/** A link with which whoever has installed a school opens the first account of an administrator, once. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'first_administrator_links',
    `${ID}, digest bytea not null unique, created_at timestamptz(3) not null, expires_at timestamptz(3) not null`,
  )
}
