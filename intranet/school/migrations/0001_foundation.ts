import { type AnyDatabase, ID, runScript } from '@campus/engine/database/tables'

/** Tables of the service itself: changes, counts, files, imports. They refer to no other tables. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table idempotency_keys (
  digest bytea primary key, fingerprint bytea not null, status smallint not null, headers jsonb not null,
  body text collate "default" not null, created_at timestamptz(3) not null default now()
);
create index on idempotency_keys (created_at);

-- What changed: a row for each transaction and table. It is unlogged, so that writers pay little for it; after a
-- crash both tables are empty, which shows that nothing is known of the time before. The triggers that write it
-- come with the functions (functions/change-triggers.ts).
create unlogged table table_changes (
  xid xid8 default pg_current_xact_id(), relation text, primary key (xid, relation)
);

-- Rows that purged sees may be gone, rows that purged_before sees are; those that settled sees are next.
create unlogged table change_epoch (
  id integer primary key default 1 check (id = 1), epoch uuid not null default gen_random_uuid(),
  purged_before pg_snapshot not null default pg_current_snapshot(),
  purged pg_snapshot not null default pg_current_snapshot(),
  settled pg_snapshot not null default pg_current_snapshot(), settled_at timestamptz not null default now()
);
insert into change_epoch default values;

-- Stored counts (aggregates.ts). The period is 0 where rows are not counted by time; the series rows counts by
-- blocks of 16384 ids. Writers add rows to count_changes, which are added up later, so that no two wait for the
-- same row.
create table folded_counts (
  relation text, series text, keys text[] collate "C", period bigint, row_count bigint not null,
  primary key (relation, series, keys, period)
) with (fillfactor = 70);

-- vacuum_truncate is off so that the planner never takes the table for empty.
create table count_changes (
  relation text not null, series text not null, keys text[] collate "C" not null, period bigint not null,
  row_count bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, vacuum_truncate = false);
create index on count_changes (relation, series, keys);
create view kept_counts as
  select relation, series, keys, period, row_count from folded_counts
  union all select relation, series, keys, period, row_count from count_changes;
create view row_counts as select relation, period as block, row_count from kept_counts where series = 'rows';

-- Migrations beside which processes of former releases may serve, and the release that wrote functions, triggers
-- and indexes last.
create table compatible_migrations (name text primary key);

create table schema_release (id integer primary key default 1 check (id = 1), version text not null);
insert into schema_release (version) values ('0.0.0');

-- A row is there before its file is, and is doomed before its file is removed: no file is without a row, and
-- nothing new refers to a file that is about to go.
create table stored_files (
  ${ID}, digest text not null, bytes bigint not null, content_type text not null, created_at timestamptz(3) not null,
  stored_at timestamptz(3), unused_since timestamptz(3), doomed_at timestamptz(3)
);
create unique index stored_files_digest_index on stored_files (digest) where doomed_at is null;
create index on stored_files (unused_since);

-- Processes that run, and the public key with which others seal what only that process can open.
create table sealing_keys (id text primary key, seen_at timestamptz not null, public_key text);

-- The key under which another service knows an imported record, and the run and line of the import where it was
-- seen last.
create table import_keys (
  resource text, key text, record_id integer not null, run uuid not null, line integer not null,
  primary key (resource, key)
);

create table mirror_source (
  id integer primary key default 1 check (id = 1), url text not null, campus_id integer,
  begun_at timestamptz(3) not null default now(), finished_at timestamptz(3)
);

-- How far each list of the mirrored service has been read: after which id or on which page, since when, and up to
-- when it was read before.
create table mirror_places (
  resource text primary key, pass text check (pass in ('whole', 'changes', 'done')),
  after integer not null default 0, page integer not null default 1, since text, newest text, read_up_to text
);

create table mirror_rows (relation text, id integer, columns jsonb not null, primary key (relation, id));

create table mirror_lists (
  relation text, foreign_key text, holder integer, sort text not null, key text not null, rows jsonb not null,
  primary key (relation, foreign_key, holder)
);

create table mirror_gone (relation text, id integer, primary key (relation, id));

create table mirror_problems (resource text, id integer, reason text not null, primary key (resource, id));

-- How often something that may be guessed was tried, by a digest of what was tried and of who tried.
create table attempts (digest bytea primary key, count integer not null, ends_at timestamptz(3) not null);
create index on attempts (ends_at);
`
