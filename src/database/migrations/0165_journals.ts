import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** Written by the triggers of `functions/journals.ts`. What an entry is about may be gone; a campus takes its entries along. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'journals',
    `${ID}, user_id integer not null references users on delete cascade, item_type text not null, item_id integer not null,
     cursus_id integer references cursus on delete set null, campus_id integer not null references campus on delete cascade,
     reason text not null, event_at timestamptz(3) not null, alumni boolean not null, closed boolean not null, ${TIMES}`,
    { countRows: true },
  )
  await run(
    db,
    'create index on journals (campus_id, event_at)',
    'create index on journals (user_id)',
    'create index on journals (cursus_id)',
    'create index on journals (item_type, item_id)',
  )
}
