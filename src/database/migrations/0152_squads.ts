import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** A few people of a bloc who stand together. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'squads',
    `${ID}, bloc_id integer not null references blocs, locked_at timestamptz(3), ${TIMES}`,
  )
  await createTable(
    db,
    'squads_users',
    `${ID}, squad_id integer not null references squads on delete cascade,
     user_id integer not null references users on delete cascade,
     leader boolean not null default false, validated boolean not null default false, ${TIMES},
     unique (squad_id, user_id)`,
  )
  await run(db, 'create index on squads (bloc_id)', 'create index on squads_users (user_id)')
}
