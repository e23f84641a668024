import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** The ledger of evaluation points: what people have is the sum of its entries, and what they have today its first one. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'correction_point_historics',
    `${ID}, user_data_id integer not null references users on delete cascade,
     scale_team_id integer references scale_teams on delete set null, reason text not null, sum integer not null,
     total integer not null, ${TIMES}`,
    { countRows: true },
  )
  await run(
    db,
    'create index on correction_point_historics (user_data_id, id)',
    'create index on correction_point_historics (scale_team_id)',
    'create index on correction_point_historics (created_at)',
    `insert into correction_point_historics (user_data_id, reason, sum, total, created_at, updated_at)
     select id, 'Creation', correction_point, correction_point, created_at, created_at from users
     where correction_point <> 0 order by id`,
    // Nobody has points without an entry: an account is opened with one.
    'alter table users alter column correction_point set default 0',
  )
}
