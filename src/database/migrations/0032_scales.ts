import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

const FLAGS = [
  [1, 'Ok', true, 'check-4'],
  [2, 'Empty work', false, 'iconf-folder-1'],
  [3, 'Incomplete work', false, 'file-attention'],
  [5, 'Invalid compilation', false, 'skull-2'],
  [6, 'Norme', false, 'receipt-1'],
  [7, 'Cheat', false, 'layers'],
  [8, 'Crash', false, 'bomb'],
  [9, 'Outstanding project', true, 'star-1'],
  [11, 'Concerning situation', false, 'warning-1'],
  [12, 'Leaks', false, 'droplets'],
  [13, 'Forbidden Function', false, 'delete-1'],
  [14, "Can''t support / explain code", false, 'close-1'],
] as const

/** How teams are evaluated: a session has evaluations, an evaluation of the kind `scale` has scales, a scale questions. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'evaluations',
    `${ID}, project_session_id integer references project_sessions on delete cascade, kind text not null,
     position integer not null default 0, ${TIMES}`,
  )
  await createTable(
    db,
    'flags',
    `${ID}, name text not null unique, positive boolean not null default false, icon text not null, ${TIMES}`,
  )
  for (const [id, name, positive, icon] of FLAGS) {
    await run(db, `insert into flags (id, name, positive, icon) values (${id}, '${name}', ${positive}, '${icon}')`)
  }
  await createTable(
    db,
    'scales',
    `${ID}, evaluation_id integer not null references evaluations on delete cascade, name text not null,
     is_primary boolean not null default true, comment text, introduction_md text, disclaimer_md text,
     guidelines_md text, correction_number integer not null default 1, duration integer not null default 1800,
     manual_subscription boolean not null default true, is_external boolean not null default false,
     free boolean not null default false, ${TIMES},
     constraint scales_correction_number_check check (correction_number between 0 and 100),
     constraint scales_duration_check check (duration between 60 and 86400)`,
  )
  await createTable(
    db,
    'scales_flags',
    `${ID}, scale_id integer not null references scales on delete cascade,
     flag_id integer not null references flags on delete cascade, unique (scale_id, flag_id)`,
  )
  await createTable(
    db,
    'scales_languages',
    `${ID}, scale_id integer not null references scales on delete cascade,
     language_id integer not null references languages on delete cascade, unique (scale_id, language_id)`,
  )
  await createTable(
    db,
    'sections',
    `${ID}, scale_id integer not null references scales on delete cascade, name text not null, description text,
     position integer not null default 0, ${TIMES}`,
  )
  await createTable(
    db,
    'questions',
    `${ID}, section_id integer not null references sections on delete cascade, name text not null, guidelines text,
     rating boolean not null default false, kind text not null default 'standard', position integer not null default 0,
     ${TIMES}`,
  )
  await createTable(
    db,
    'questions_skills',
    `${ID}, question_id integer not null references questions on delete cascade,
     skill_id integer not null references skills on delete cascade, percentage double precision not null default 0,
     ${TIMES}, unique (question_id, skill_id)`,
  )
  await createTable(
    db,
    'uploads',
    `${ID}, evaluation_id integer not null references evaluations on delete cascade, name text not null,
     description text, ${TIMES}`,
  )
  await run(
    db,
    "select setval(pg_get_serial_sequence('flags', 'id'), 100)",
    'create index on evaluations (project_session_id)',
    'create index on scales (evaluation_id)',
    'create index on scales (name, id desc)',
    'create index on scales_flags (flag_id)',
    'create index on scales_languages (language_id)',
    'create index on sections (scale_id)',
    'create index on questions (section_id)',
    'create index on uploads (evaluation_id)',
  )
}
