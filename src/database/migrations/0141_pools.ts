import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** Evaluation points that belong to everybody of a cursus at a campus, and the sales in which they are paid out. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'pools',
    `${ID}, current_points integer not null default 0, max_points integer not null,
     cursus_id integer not null references cursus, campus_id integer not null references campus, ${TIMES},
     constraint pools_campus_id_cursus_id_key unique (campus_id, cursus_id),
     constraint pools_current_points_check check (current_points >= 0)`,
  )
  await createTable(
    db,
    'balances',
    `${ID}, pool_id integer not null references pools on delete cascade, begin_at timestamptz(3) not null,
     end_at timestamptz(3), ${TIMES}, constraint balances_end_at_check check (end_at > begin_at)`,
  )
  await run(db, 'create index on pools (cursus_id)', 'create index on balances (pool_id, begin_at)')
}
