import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Offers of companies, and internships. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table offers (
  ${ID}, title text not null, little_description text not null, big_description text not null, salary text,
  contract_type text not null, email text not null, address text not null, city text not null, zip text not null,
  country text not null, latitude double precision, longitude double precision, valid_at timestamptz(3) not null,
  invalid_at timestamptz(3) not null, min_duration integer not null, max_duration integer, document text,
  slug text not null, target text not null, pro_id integer, company_id integer,
  reported boolean not null default false, ${TIMES},
  constraint offers_invalid_at_check check (invalid_at > valid_at),
  constraint offers_max_duration_check check (max_duration >= min_duration)
);
create index on offers (created_at desc, id desc);

create table offers_campus (
  ${ID}, offer_id integer not null references offers on delete cascade, campus_id integer not null references campus,
  unique (offer_id, campus_id)
);
create index on offers_campus (campus_id);

create table offers_expertises (
  ${ID}, offer_id integer not null references offers on delete cascade,
  expertise_id integer not null references expertises, unique (offer_id, expertise_id)
);
create index on offers_expertises (expertise_id);

create table offers_users (
  ${ID}, offer_id integer not null references offers, user_id integer not null references users on delete cascade,
  validated_at timestamptz(3), ${TIMES}, unique (offer_id, user_id)
);
create index on offers_users (user_id);
create index on offers_users (created_at desc, id desc);

create table internships (
  ${ID}, user_id integer not null references users on delete cascade, offer_id integer references offers,
  language_id integer references languages, administration_id integer, state text not null default 'none', days text,
  user_address text, user_postal text, user_city text, user_country text, company_name text,
  company_boss_user_first_name text, company_boss_user_last_name text, company_boss_user_email text,
  company_boss_user_phone text, company_user_first_name text, company_user_last_name text, company_user_post text,
  company_user_email text, company_user_phone text, company_address text, company_postal text, company_city text,
  company_country text, company_siret text, internship_address text, internship_postal text, internship_city text,
  internship_country text, contract_type text, subject text, start_at timestamptz(3) not null,
  end_at timestamptz(3) not null, duration integer, nb_days integer, nb_hours integer, movement text,
  salary double precision, currency text, breach_at timestamptz(3), convention_url text, ${TIMES},
  constraint internships_end_at_check check (end_at > start_at)
);
create index on internships (created_at desc, id desc);
create index on internships (user_id);
`
