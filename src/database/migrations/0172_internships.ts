import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'internships',
    `${ID}, user_id integer not null references users on delete cascade, offer_id integer references offers,
     language_id integer references languages, administration_id integer, state text not null default 'none', days text,
     user_address text, user_postal text, user_city text, user_country text,
     company_name text, company_boss_user_first_name text, company_boss_user_last_name text,
     company_boss_user_email text, company_boss_user_phone text, company_user_first_name text,
     company_user_last_name text, company_user_post text, company_user_email text, company_user_phone text,
     company_address text, company_postal text, company_city text, company_country text, company_siret text,
     internship_address text, internship_postal text, internship_city text, internship_country text,
     contract_type text, subject text, start_at timestamptz(3) not null, end_at timestamptz(3) not null,
     duration integer, nb_days integer, nb_hours integer, movement text, salary double precision, currency text,
     breach_at timestamptz(3), convention_url text, ${TIMES},
     constraint internships_end_at_check check (end_at > start_at)`,
  )
  await run(
    db,
    'create index on internships (created_at desc, id desc)',
    'create index on internships (user_id)',
    'create index on internships (offer_id)',
    'create index on internships (language_id)',
  )
}
