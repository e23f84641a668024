import { type AnyDatabase, createTable, ID, TIMES } from '../tables.ts'

/** The secret is sealed with a key that the database never holds; its digest serves filters. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'endpoints',
    `${ID}, url text not null, description text, secret text, secret_digest text,
     active boolean not null default false, ${TIMES}`,
  )
}
