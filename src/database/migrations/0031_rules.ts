import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

const RULES = [
  {
    id: 1,
    kind: 'inscription',
    name: 'Projects validated',
    internal_name: 'projects_validated',
    description: 'The user has validated each of these projects',
    params: [['projects', 'array', null]],
  },
  {
    id: 2,
    kind: 'inscription',
    name: 'One of the projects validated',
    internal_name: 'one_project_validated',
    description: 'The user has validated at least one of these projects',
    params: [['projects', 'array', null]],
  },
  {
    id: 3,
    kind: 'inscription',
    name: 'Cursus level',
    internal_name: 'cursus_level',
    description: 'The user has reached this level in a cursus of the project',
    params: [['level', 'integer', '1']],
  },
  {
    id: 4,
    kind: 'retry_inscription',
    name: 'Days between tries',
    internal_name: 'days_between_tries',
    description: 'So many days have passed since the last team of the user on the project was marked',
    params: [['days', 'integer', '7']],
  },
] as const

/** What must hold for a user to register, retry, evaluate …; those that the service itself can judge are there from the start. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'rules',
    `${ID}, kind text not null, name text not null, description text, slug text not null unique,
     internal_name text not null unique, ${TIMES}`,
  )
  await createTable(
    db,
    'params',
    `${ID}, rule_id integer not null references rules on delete cascade, name text not null, default_value text,
     data_type text not null default 'string', ${TIMES}, unique (rule_id, name)`,
  )
  await createTable(
    db,
    'project_sessions_rules',
    `${ID}, project_session_id integer not null references project_sessions on delete cascade,
     rule_id integer not null references rules, required boolean not null default true,
     position integer not null default 0, ${TIMES}`,
  )
  await createTable(
    db,
    'params_project_sessions_rules',
    `${ID}, project_sessions_rule_id integer not null references project_sessions_rules on delete cascade,
     param_id integer not null references params, value text, ${TIMES}, unique (project_sessions_rule_id, param_id)`,
  )
  for (const { id, kind, name, internal_name, description, params } of RULES) {
    await run(
      db,
      `insert into rules (id, kind, name, slug, internal_name, description)
       values (${id}, '${kind}', '${name}', '${internal_name.replaceAll('_', '-')}', '${internal_name}', '${description}')`,
    )
    for (const [param, type, value] of params) {
      await run(
        db,
        `insert into params (rule_id, name, data_type, default_value)
         values (${id}, '${param}', '${type}', ${value ? `'${value}'` : 'null'})`,
      )
    }
  }
  await run(
    db,
    "select setval(pg_get_serial_sequence('rules', 'id'), 100)",
    'create index on project_sessions_rules (project_session_id)',
    'create index on project_sessions_rules (rule_id)',
    'create index on params_project_sessions_rules (param_id)',
  )
}
