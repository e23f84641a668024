import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/**
 * Calls to the webservices of campuses. A call to come is a row that is `pending` and has a `due_at`; a process that
 * makes it holds the row's lease meanwhile. `record` is what is told, as it was when the change was made; what must not
 * rest in clear is beside it, sealed.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'deliveries',
    `${ID}, webhook_id text not null unique default gen_random_uuid()::varchar,
     endpoint_id integer not null references endpoints on update cascade on delete cascade,
     user_id integer not null, login text not null, event text not null, record json not null,
     sealed text, sealed_by text, secrets text not null default 'none',
     state text not null default 'pending', due_at timestamptz(3), leased_until timestamptz(3), lease text,
     tries integer not null default 0, attempts jsonb not null default '[]',
     last_try_at timestamptz(3), status integer, error text, answer text, milliseconds integer,
     decided_at timestamptz(3), ${TIMES}`,
  )
  await run(
    db,
    // A call is written again when it is taken and when it is decided. What is told never changes: it lies beside the row,
    // and the row's page keeps room for its next version.
    'alter table deliveries set (toast_tuple_target = 128, fillfactor = 70)',
    'alter table deliveries alter column record set storage external',

    "create index deliveries_due on deliveries (endpoint_id, due_at, id) where state = 'pending'",
    "create index deliveries_order on deliveries (user_id, endpoint_id, id) where state = 'pending'",
    'create index on deliveries (endpoint_id, created_at)',
    'create index on deliveries (decided_at) where decided_at is not null',
    'create index on deliveries (created_at) where sealed is not null',

    // Only while it fails: since when nothing but failures came of it, and how many.
    `create table endpoint_failures (
       endpoint_id integer primary key references endpoints on update cascade on delete cascade,
       since timestamptz(3) not null, calls integer not null)`,
    `alter table endpoints add column switched_off_at timestamptz(3),
       add column switched_off_because text collate "C"`,

    // Who can still open what they sealed: processes with a key of their own say from time to time that they live.
    'create table sealing_keys (id text collate "C" primary key, seen_at timestamptz not null)',
  )
}
