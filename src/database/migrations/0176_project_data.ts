import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'project_data',
    `${ID}, project_session_id integer not null references project_sessions on delete cascade,
     coordinates text not null, by text not null default '[]', kind text not null, ${TIMES}`,
  )
  await run(db, 'create index on project_data (project_session_id)')
}
