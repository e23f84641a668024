import { type AnyDatabase, createTable } from '../tables.ts'

/** How far a copy of another service has come, and what has been read of it and not written yet. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'mirror_source',
    `id integer primary key default 1 check (id = 1), url text not null, campus_id integer,
     begun_at timestamptz(3) not null default now(), finished_at timestamptz(3)`,
  )
  // Where the reading of a list has come to: after which id, or on which page, since when; and up to when it was read before.
  await createTable(
    db,
    'mirror_places',
    `resource text primary key, pass text check (pass in ('whole', 'changes', 'done')), after integer not null default 0,
     page integer not null default 1, since text, newest text, read_up_to text`,
  )
  await createTable(
    db,
    'mirror_rows',
    'relation text not null, id integer not null, columns jsonb not null, primary key (relation, id)',
  )
  await createTable(
    db,
    'mirror_lists',
    `relation text not null, foreign_key text not null, holder integer not null, sort text not null, key text not null,
     rows jsonb not null, primary key (relation, foreign_key, holder)`,
  )
  await createTable(db, 'mirror_gone', 'relation text not null, id integer not null, primary key (relation, id)')
  await createTable(
    db,
    'mirror_problems',
    'resource text not null, id integer not null, reason text not null, primary key (resource, id)',
  )
}
