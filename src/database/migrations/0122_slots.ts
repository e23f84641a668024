import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** A quarter of an hour in which somebody offers to evaluate; booked while it has an evaluation. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'slots',
    `${ID}, user_id integer not null references users on delete cascade, begin_at timestamptz(3) not null,
     end_at timestamptz(3) not null, scale_team_id integer references scale_teams on delete set null, ${TIMES},
     unique (user_id, begin_at), constraint slots_end_at_check check (end_at > begin_at)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on slots (begin_at, id)',
    'create index on slots (end_at)',
    'create index on slots (created_at)',
    'create index on slots (scale_team_id)',
    `update campus set minimum_slot_duration = 30
     where minimum_slot_duration is null or minimum_slot_duration not between 15 and 1440`,
    `alter table campus alter column minimum_slot_duration set default 30,
     add constraint campus_minimum_slot_duration_check check (minimum_slot_duration between 15 and 1440)`,
  )
}
