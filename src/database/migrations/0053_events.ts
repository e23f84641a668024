import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** Those who wait for a place have a row in `events_users` like the others, marked as waiting. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'themes', `${ID}, name text not null unique, ${TIMES}`)
  await createTable(
    db,
    'events',
    `${ID}, name text not null, description text not null, location text, kind text not null, max_people integer,
     begin_at timestamptz(3) not null, end_at timestamptz(3) not null, prohibition_of_cancellation integer,
     difficulty integer, remote boolean not null default false, ${TIMES},
     constraint events_end_at_check check (end_at >= begin_at),
     constraint events_max_people_check check (max_people >= 0),
     constraint events_prohibition_of_cancellation_check check (prohibition_of_cancellation >= 0)`,
  )
  await createTable(
    db,
    'waitlists',
    `${ID}, waitlistable_id integer not null unique references events on delete cascade,
     waitlistable_type text not null default 'Event', ${TIMES}`,
  )
  await run(db, 'alter table events add waitlist_id integer references waitlists on delete set null')
  for (const [one, many] of [
    ['campus', 'campus'],
    ['cursus', 'cursus'],
    ['theme', 'themes'],
  ]) {
    await createTable(
      db,
      `events_${many}`,
      `${ID}, event_id integer not null references events on delete cascade,
       ${one}_id integer not null references ${many} on delete cascade, unique (event_id, ${one}_id)`,
    )
    await run(db, `create index on events_${many} (${one}_id)`)
  }
  await createTable(
    db,
    'events_users',
    `${ID}, event_id integer not null references events on delete cascade,
     user_id integer not null references users on delete cascade, waiting boolean not null default false, ${TIMES},
     unique (event_id, user_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on events (begin_at desc, id desc)',
    'create index on events (end_at)',
    'create index on events (waitlist_id)',
    'create index on events_users (user_id)',
    'create index on events_users (created_at desc, id desc)',
    'create index events_users_waiting on events_users (event_id, updated_at, id) where waiting',
  )
}
