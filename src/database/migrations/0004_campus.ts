import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'campus',
    `${ID}, name text not null unique, slug text not null unique, display_name text,
     time_zone text not null, language_id integer not null references languages,
     endpoint_id integer references endpoints on update cascade on delete set null,
     vogsphere_id integer, country text, address text, zip text, city text, website text, facebook text, twitter text,
     logo text, help_url text, main_email text, content_email text, companies_mail text, tig_email text,
     email_extension text, active boolean not null default true, public boolean not null default true,
     default_hidden_phone boolean not null default false, pro_needs_validation boolean not null default true,
     open_to_job_offers boolean not null default true, alumni_system boolean not null default false,
     manual_alumnization_before_first_internship boolean not null default false,
     time_of_community_service_started text, minimum_slot_duration integer, ${TIMES}`,
  )
  await run(db, 'create index on campus (endpoint_id)')
}
