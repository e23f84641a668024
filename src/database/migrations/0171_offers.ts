import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'offers',
    `${ID}, title text not null, little_description text not null, big_description text not null,
     salary text, contract_type text not null, email text not null, address text not null,
     city text not null, zip text not null, country text not null, latitude double precision,
     longitude double precision, valid_at timestamptz(3) not null, invalid_at timestamptz(3) not null,
     min_duration integer not null, max_duration integer, document text, slug text not null, target text not null,
     pro_id integer, company_id integer, reported boolean not null default false, ${TIMES},
     constraint offers_invalid_at_check check (invalid_at > valid_at),
     constraint offers_max_duration_check check (max_duration >= min_duration)`,
  )
  for (const [one, many] of [
    ['campus', 'campus'],
    ['expertise', 'expertises'],
  ]) {
    await createTable(
      db,
      `offers_${many}`,
      `${ID}, offer_id integer not null references offers on delete cascade,
       ${one}_id integer not null references ${many}, unique (offer_id, ${one}_id)`,
    )
    await run(db, `create index on offers_${many} (${one}_id)`)
  }
  await createTable(
    db,
    'offers_users',
    `${ID}, offer_id integer not null references offers, user_id integer not null references users on delete cascade,
     validated_at timestamptz(3), ${TIMES}, unique (offer_id, user_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on offers (created_at desc, id desc)',
    'create index on offers_users (user_id)',
    'create index on offers_users (created_at desc, id desc)',
  )
}
