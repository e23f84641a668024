import { type AnyDatabase, createTable, ID, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'changelogs', `${ID}, version text not null unique, name text, content text not null, ${TIMES}`)
}
