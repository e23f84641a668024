import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'anti_grav_units', `${ID}, name text not null unique, description text, ${TIMES}`)
  await createTable(
    db,
    'anti_grav_units_users',
    `${ID}, user_id integer not null references users on delete cascade,
     anti_grav_unit_id integer references anti_grav_units on delete set null,
     begin_date date not null default current_date, expected_end_date date, end_date date, reason text,
     is_free boolean not null default false, close_id integer references closes on delete set null,
     internship_id integer, ${TIMES},
     constraint anti_grav_units_users_expected_end_date_check check (expected_end_date >= begin_date),
     constraint anti_grav_units_users_end_date_check check (end_date >= begin_date)`,
  )
  await run(
    db,
    'create index on anti_grav_units_users (user_id)',
    'create index on anti_grav_units_users (anti_grav_unit_id)',
    'create index on anti_grav_units_users (close_id)',
  )
}
