import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** `user_id` is who answers for the accreditation; `accreditations_users` holds those who have it. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'accreditations',
    `${ID}, name text not null, user_id integer references users on delete set null,
     cursus_id integer references cursus on delete cascade, validated boolean not null default false,
     difficulty integer, ${TIMES}`,
  )
  await createTable(
    db,
    'accreditations_users',
    `${ID}, accreditation_id integer not null references accreditations on delete cascade,
     user_id integer not null references users on delete cascade, ${TIMES}, unique (accreditation_id, user_id)`,
  )
  await run(
    db,
    'create index on accreditations (user_id)',
    'create index on accreditations (cursus_id)',
    'create index on accreditations_users (user_id)',
  )
}
