import { type MigrationModule, script } from './migrations.ts'

const TABLES = `
create table idempotency_keys (
  digest bytea primary key, fingerprint bytea not null, status smallint not null, headers jsonb not null,
  body text collate "default" not null, created_at timestamptz(3) not null default now()
);
create index on idempotency_keys (created_at);

-- A row for each transaction and table that it changed. Unlogged, so that writers pay little for it. After a crash both
-- tables are empty, which shows that nothing is known of the time before.
create unlogged table table_changes (
  xid xid8 default pg_current_xact_id(), relation text, primary key (xid, relation)
);

-- Rows that purged sees may be gone, rows that purged_before sees are; those that settled sees are next. The writer is the
-- only process that writes, while there is one (functions/writer-lease.ts).
create unlogged table change_epoch (
  id integer primary key default 1 check (id = 1), epoch uuid not null default gen_random_uuid(),
  purged_before pg_snapshot not null default pg_current_snapshot(),
  purged pg_snapshot not null default pg_current_snapshot(),
  settled pg_snapshot not null default pg_current_snapshot(), settled_at timestamptz not null default now(), writer text
);
insert into change_epoch default values;

-- The server that the replicas follow. A replica that shows another name follows another server.
create table replicated_epoch (is_only boolean primary key default true check (is_only), epoch text not null);

-- Stored counts. The period is 0 if rows are not counted by time; the series rows counts by blocks of 16384 ids. Writers
-- add rows to count_changes, which are added up later, so that no two wait for the same row.
create table compacted_counts (
  relation text, series text, keys text[] collate "C", period bigint, row_count bigint not null,
  primary key (relation, series, keys, period)
) with (fillfactor = 70);

-- vacuum_truncate is off so that the planner never takes the table for empty.
create table count_changes (
  relation text not null, series text not null, keys text[] collate "C" not null, period bigint not null,
  row_count bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, vacuum_truncate = false);
create index on count_changes (relation, series, keys);
create view stored_counts as
  select relation, series, keys, period, row_count from compacted_counts
  union all select relation, series, keys, period, row_count from count_changes;
create view row_counts as select relation, period as block, row_count from stored_counts where series = 'rows';

-- Migrations beside which processes of former releases may serve, and the release that wrote functions, triggers
-- and indexes last.
create table compatible_migrations (name text primary key);
create table schema_release (id integer primary key default 1 check (id = 1), version text not null);
insert into schema_release (version) values ('0.0.0');

-- The key under which another service knows an imported record, and the run and line of the import that saw it last.
create table import_keys (
  resource text, key text, record_id integer not null, run uuid not null, line integer not null,
  primary key (resource, key)
);
create index on import_keys (record_id, resource);

-- Tables whose changes go into the change feed, when each was used last, and the position after which the feed has all of
-- its changes.
create table captured_tables (
  relation text primary key, used_at timestamptz not null default now(), since bigint not null default 0
);

-- A row for each change of a record, written by the transaction that makes it; without a record, the whole table may have
-- changed. The id is drawn while the record is locked, so that the changes of one record are in its order.
create table change_log (
  id bigint not null generated always as identity, xid xid8 not null default pg_current_xact_id(), relation text not null,
  record_id integer, operation text not null, columns text[], events text[], actor text,
  changed_at timestamptz(3) not null default now(), carried text, former text
) with (vacuum_truncate = false);
create index on change_log (xid);

-- The same rows in the order in which they were committed, with positions that have no gaps. A partition a day.
create table feed (
  position bigint not null, day date not null, xid xid8 not null, relation text not null, record_id integer,
  operation text not null, columns text[], events text[], actor text, changed_at timestamptz(3) not null, carried text,
  former text
) partition by range (day);
create index on feed (position);

-- How far change_log has been copied to the feed, and by whom. Positions of another epoch mean nothing.
create table feed_relay (
  id integer primary key default 1 check (id = 1), epoch uuid not null default gen_random_uuid(), history text,
  position bigint not null default 0, snapshot pg_snapshot not null default pg_current_snapshot(),
  purged pg_snapshot not null default pg_current_snapshot(), lease text, leased_until timestamptz
);
insert into feed_relay default values;
create table feed_readers (name text primary key, epoch uuid, position bigint not null default 0);

-- The process that runs each job of the background, and when the job last ended well.
create table job_leases (
  job text primary key, holder text not null, leased_until timestamptz not null,
  held_since timestamptz(3) not null default now(), worked_at timestamptz(3)
);
`

/** Creates the engine's tables in a new service. Services with these tables in their own migrations omit it. */
export const ENGINE_MIGRATIONS: Readonly<Record<string, MigrationModule>> = {
  '0000_engine': script(TABLES),
}
