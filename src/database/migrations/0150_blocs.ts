import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** The coalitions of one campus and cursus stand against each other in a bloc, season by season. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'blocs',
    `${ID}, campus_id integer not null references campus, cursus_id integer not null references cursus,
     squad_size integer not null default 0, coalition_delay integer, repeat_deadline_delay integer, ${TIMES}`,
  )
  await run(
    db,
    'create index on blocs (campus_id)',
    'create index on blocs (cursus_id)',
    `alter table coalitions add column bloc_id integer references blocs,
       add column image_file_id integer references stored_files, add column image_file_name text collate "C",
       add column cover_file_id integer references stored_files, add column cover_file_name text collate "C",
       add constraint coalitions_name_key unique (bloc_id, name)`,
    'create index on coalitions (image_file_id)',
    'create index on coalitions (cover_file_id)',
  )
  await createTable(
    db,
    'bloc_deadlines',
    `${ID}, bloc_id integer not null references blocs on delete cascade,
     coalition_id integer references coalitions on delete set null,
     begin_at timestamptz(3) not null, end_at timestamptz(3) not null, ${TIMES},
     constraint bloc_deadlines_end_at_check check (end_at > begin_at)`,
  )
  await run(db, 'create index on bloc_deadlines (bloc_id)', 'create index on bloc_deadlines (coalition_id)')
}
