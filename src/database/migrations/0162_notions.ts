import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** Course material: what attachments of projects are, those of subnotions are too. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'notions', `${ID}, name text not null unique, slug text not null unique, ${TIMES}`)
  for (const [one, many] of [
    ['tag', 'tags'],
    ['cursus', 'cursus'],
  ]) {
    await createTable(
      db,
      `notions_${many}`,
      `${ID}, notion_id integer not null references notions on delete cascade,
       ${one}_id integer not null references ${many}, unique (notion_id, ${one}_id)`,
    )
    await run(db, `create index on notions_${many} (${one}_id)`)
  }
  await createTable(
    db,
    'subnotions',
    `${ID}, notion_id integer references notions on delete cascade, name text not null, slug text not null unique,
     position integer not null default 0, ${TIMES}, unique (notion_id, name)`,
  )
  await run(
    db,
    'create index on notions (created_at desc, id desc)',
    'create index on subnotions (name, id desc)',
    'alter table attachments drop constraint attachments_container_check, drop column container_type, drop column container_id',
    `alter table attachments
       add column subnotion_id integer references subnotions on delete cascade,
       add column duration integer not null default 0`,
    `alter table attachments
       add column container_type text collate "C" generated always as (
         case when project_id is not null then 'Project' when project_session_id is not null then 'ProjectSession'
           when subnotion_id is not null then 'Subnotion' end) stored,
       add column container_id integer generated always as (coalesce(project_id, project_session_id, subnotion_id)) stored,
       add constraint attachments_container_check check (num_nonnulls(project_id, project_session_id, subnotion_id) <= 1)`,
    'create index on attachments (subnotion_id)',
  )
}
