import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Deliveries to the webservices of campuses. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- A delivery to come is pending and has a due_at; the process that attempts it leases the row. Attempts rewrite the
-- row, and record never changes: it is stored beside the row, whose page has room for the next version. What must
-- not be stored in clear is sealed.
create table deliveries (
  ${ID}, webhook_id text not null default gen_random_uuid()::varchar unique,
  endpoint_id integer not null references endpoints on update cascade on delete cascade, user_id integer not null,
  login text not null, event text not null, record json not null, sealed text, sealed_by text,
  secrets text not null default 'none', state text not null default 'pending', due_at timestamptz(3),
  leased_until timestamptz(3), lease text, tries integer not null default 0, attempts jsonb not null default '[]',
  last_try_at timestamptz(3), status integer, error text, answer text, milliseconds integer,
  decided_at timestamptz(3), ${TIMES}, replayed_at timestamptz(3)
) with (toast_tuple_target = 128, fillfactor = 70);
create index deliveries_due on deliveries (endpoint_id, due_at, id) where state = 'pending';
create index deliveries_order on deliveries (user_id, endpoint_id, id) where state = 'pending';
create index on deliveries (endpoint_id, created_at);
create index on deliveries (decided_at) where decided_at is not null;
create index on deliveries (created_at) where sealed is not null;
alter table deliveries alter column record set storage external;

-- Only while an endpoint fails: since when, and how many deliveries in a row.
create table endpoint_failures (
  endpoint_id integer primary key references endpoints on update cascade on delete cascade,
  since timestamptz(3) not null, calls integer not null
);

-- What webservices answered to earlier deliveries, which later ones repeat.
create table callbacks (
  ${ID}, endpoint_id integer not null references endpoints on update cascade on delete cascade,
  user_id integer not null references users on delete cascade, url text not null, initial_data json not null,
  response_data json not null, ${TIMES}
);
create index on callbacks (endpoint_id, id);
create index on callbacks (user_id);
`
