import { type AnyDatabase, createTable, ID, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'languages', `${ID}, name text not null, identifier text not null unique, ${TIMES}`)
}
