import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/**
 * An attachment hangs on a project or on a session of one, which the wire calls its container. Translations share the
 * `base_id` of the attachment that they were translated from.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'attachments',
    `${ID}, name text not null, slug text not null, kind text not null,
     project_id integer references projects on delete cascade, project_session_id integer references project_sessions on delete cascade,
     container_type text generated always as (
       case when project_id is not null then 'Project' when project_session_id is not null then 'ProjectSession' end) stored,
     container_id integer generated always as (coalesce(project_id, project_session_id)) stored,
     attachable_id integer, attachable_type text not null, attachments_structure_id integer,
     translates_id integer references attachments on delete cascade,
     base_id integer generated always as (coalesce(translates_id, id)) stored,
     language_id integer references languages, user_id integer references users on delete set null,
     url text, thumb_url text, pdf_url text generated always as (case when kind = 'pdf' then url end) stored,
     pdf_thumb_url text generated always as (case when kind = 'pdf' then thumb_url end) stored,
     page_count integer not null default 0, pdf_processing boolean not null default false,
     "default" boolean not null default true, up_to_date boolean not null default true,
     untranslatable boolean not null default false, ${TIMES},
     constraint attachments_container_check check (project_id is null or project_session_id is null)`,
  )
  await run(
    db,
    'create index on attachments (project_id)',
    'create index on attachments (project_session_id)',
    'create index on attachments (base_id)',
    'create index on attachments (translates_id)',
  )
}
