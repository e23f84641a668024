import { type AnyDatabase, run } from '../tables.ts'

/** How many calls each application made in an hour; `refused` are those among them that were not allowed. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create table application_calls (
       application_id integer not null references applications on delete cascade, hour timestamptz(3) not null,
       made integer not null, refused integer not null, primary key (application_id, hour))`,
    'create index on application_calls (hour)',
  )
}
