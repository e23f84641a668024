import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Webhooks that applications subscribe to. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- What becomes of which records an application wants to be told. A change that has a position in the feed up to since was
-- made before it subscribed, or before it was switched on.
create table webhooks (
  ${ID}, application_id integer not null references applications on update cascade on delete cascade,
  model text not null, relation text not null, event text not null,
  campus_id integer references campus on update cascade on delete cascade,
  url text not null, secret text not null, description text, active boolean not null default true,
  switched_off_at timestamptz(3), switched_off_because text, since bigint not null default 0, ${TIMES}
);
create index on webhooks (application_id, id);
create index on webhooks (campus_id);
create index on webhooks (relation) where active;

-- As deliveries, of which only the id of the record is known until they are sent. Those without a position are tests.
create table webhook_deliveries (
  ${ID}, message_id text not null default gen_random_uuid()::varchar unique,
  webhook_id integer not null references webhooks on update cascade on delete cascade,
  position bigint, record_id integer not null, state text not null default 'pending', due_at timestamptz(3),
  leased_until timestamptz(3), lease text, tries integer not null default 0, attempts jsonb not null default '[]',
  last_try_at timestamptz(3), status integer, error text, answer text, milliseconds integer,
  decided_at timestamptz(3), ${TIMES}, replayed_at timestamptz(3)
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where state = 'pending';
create index webhook_deliveries_order on webhook_deliveries (record_id, webhook_id, id) where state = 'pending';
create index on webhook_deliveries (webhook_id, id);
create index on webhook_deliveries (decided_at) where decided_at is not null;

-- Only while the receiver of a webhook fails: since when, and how many deliveries in a row.
create table webhook_failures (
  webhook_id integer primary key references webhooks on update cascade on delete cascade,
  since timestamptz(3) not null, calls integer not null
);

-- Up to where deliveries have been made of the feed.
create table feed_readers (name text primary key, epoch uuid, position bigint not null default 0);
insert into feed_readers (name) values ('applications');

-- What a pool held before it last got points (functions/pools.ts).
alter table pools add column former_points integer not null default 0;
`
