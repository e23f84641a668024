import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** Points that are given to a coalition, by a member of it or by nobody in particular, and the standing of its members. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'alter table coalitions_users add column this_year_score_updated_at timestamptz(3)',
    'create index on coalitions_users (created_at desc, id desc)',
    'create index on coalitions_users (coalition_id, created_at desc, id desc)',
    'create index on coalitions_users (score, id)',
    // How many members of a coalition have so many points, one by one (shift 0) and by 256 (shift 8): `count_standings`.
    `create table coalition_standings (
       coalition_id integer not null references coalitions on delete cascade,
       shift smallint not null,
       bucket integer not null,
       members integer not null,
       primary key (coalition_id, shift, bucket)
     ) with (fillfactor = 70)`,
    `insert into coalition_standings (coalition_id, shift, bucket, members)
     select coalition_id, shift, score >> shift, count(*)
     from coalitions_users, (values (0), (8)) shifts (shift) group by 1, 2, 3`,
  )
  await createTable(
    db,
    'scores',
    `${ID}, coalition_id integer not null references coalitions,
     coalitions_user_id integer references coalitions_users on delete set null,
     calculation_id integer, scoreable_id integer, scoreable_type text, value integer not null, reason text not null,
     ${TIMES}`,
    { countRows: true },
  )
  await run(
    db,
    'create index on scores (created_at desc, id desc)',
    'create index on scores (coalition_id, created_at desc, id desc)',
    'create index on scores (coalitions_user_id, created_at desc, id desc)',
  )
}
