import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** What webservices answered to earlier calls, as they are told of it later. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'callbacks',
    `${ID}, endpoint_id integer not null references endpoints on update cascade on delete cascade,
     user_id integer not null references users on delete cascade, url text not null,
     initial_data json not null, response_data json not null, ${TIMES}`,
  )
  await run(
    db,
    'create index on callbacks (endpoint_id, id)',
    'create index on callbacks (user_id)',
    'create index on callbacks (created_at)',
  )
}
