import { type AnyDatabase, run } from '../tables.ts'

/**
 * Every transaction that changes what a campus is told of a user records the calls, however the change is made. The
 * triggers run when the transaction commits: what is recorded is its outcome, and one call tells all that it did.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    // Grows with every update that is to be told, also one that leaves every column as it was.
    'alter table users add column revision integer not null default 0',
    ...RECORDS,
    ...RECORDING,
    ...TRIGGERS,
    ...SWITCHING,
  )
}

/** The records of webhooks (spec: webhooks 2), but for `key`, `password` and `meta`, which no table holds. */
const RECORDS = [
  `create function wire_time(moment timestamptz) returns text stable language sql as $$
     select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
   $$`,
  `create function webservice_campus(place campus) returns json stable language sql as $$
     select json_build_object(
       'id', place.id, 'name', place.name, 'created_at', wire_time(place.created_at),
       'updated_at', wire_time(place.updated_at), 'time_zone', place.time_zone, 'language_id', place.language_id,
       'slug', place.slug, 'main_email', place.main_email, 'endpoint_id', place.endpoint_id,
       'vogsphere_id', place.vogsphere_id)
   $$`,
  `create function webservice_user(person users) returns json stable language sql as $$
     select json_build_object(
       'uid', person.login, 'login', person.login, 'id', person.id, 'email', person.email,
       'created_at', wire_time(person.created_at), 'updated_at', wire_time(person.updated_at),
       'image_url', regexp_replace(person.image, '^[a-z][a-z0-9+.-]*://[^/]*', '', 'i'),
       'first_name', person.first_name, 'last_name', person.last_name, 'phone', person.phone,
       'pool_year', person.pool_year, 'pool_month', person.pool_month, 'kind', person.kind, 'status', person.status,
       'campus', coalesce((
         select json_agg(webservice_campus(c) order by c.id)
         from campus_users cu join campus c on c.id = cu.campus_id where cu.user_id = person.id), '[]'),
       'primary_campus', (
         select webservice_campus(c)
         from campus_users cu join campus c on c.id = cu.campus_id where cu.user_id = person.id and cu.is_primary))
   $$`,
  `create function webservice_close(shut closes) returns json stable language sql as $$
     select json_build_object(
       'id', shut.id, 'user_id', shut.user_id, 'closer_id', shut.closer_id, 'reason', shut.reason,
       'state', shut.state, 'created_at', wire_time(shut.created_at), 'updated_at', wire_time(shut.updated_at))
   $$`,
]

const RECORDING = [
  // A call is due once the user's earlier ones are: one that waits for its next try holds back those that follow.
  `create function record_calls(
     told_user integer, told_login text, told_event text, told_record json, happened_at timestamptz, parts jsonb
   ) returns void language sql as $$
     insert into deliveries (
       endpoint_id, user_id, login, event, record, sealed, sealed_by, secrets, due_at, created_at, updated_at)
     select
       called.id, told_user, told_login, told_event, told_record, parts ->> 'text', parts ->> 'by',
       case when parts is null then 'none' else 'sealed' end,
       greatest(happened_at, (
         select max(due_at) from deliveries d
         where d.user_id = told_user and d.endpoint_id = called.id and d.state = 'pending')),
       happened_at, happened_at
     from (
       select distinct e.id from campus_users cu join campus c on c.id = cu.campus_id
       join endpoints e on e.id = c.endpoint_id where cu.user_id = told_user and e.active
     ) called
   $$`,
  // The lock makes changes of one user commit one after another, so that the last call tells the last state.
  `create function tell_user(told_user integer, told_event text, known_login text, happened_at timestamptz)
   returns void language plpgsql as $$
     declare
       person users;
     begin
       if not exists (select 1 from endpoints where active) then return; end if;
       select * into person from users where id = told_user for no key update;
       if not found or exists (
         select 1 from deliveries where user_id = told_user and state = 'pending' and event in ('created', 'updated')
         and xmin = pg_current_xact_id()::xid
       ) then return; end if;
       perform record_calls(
         told_user, coalesce(known_login, person.login), told_event, webservice_user(person),
         coalesce(happened_at, person.updated_at),
         nullif(current_setting('campus.sealed', true), '')::jsonb -> told_user::text);
     end
   $$`,
  `create function tell_users_row() returns trigger language plpgsql as $$
     begin
       if tg_argv[0] = 'created' then perform tell_user(new.id, 'created', null, null);
       elsif tg_argv[0] = 'updated' then perform tell_user(new.id, 'updated', old.login, null);
       else perform record_calls(new.id, new.login, 'unclosed', '{}', new.updated_at, null);
       end if;
       return null;
     end
   $$`,
  `create function tell_campus_users_row() returns trigger language plpgsql as $$
     begin
       if tg_op = 'DELETE' then perform tell_user(old.user_id, 'updated', null, now());
       else
         perform tell_user(new.user_id, 'updated', null, new.updated_at);
         if tg_op = 'UPDATE' and old.user_id <> new.user_id then
           perform tell_user(old.user_id, 'updated', null, new.updated_at);
         end if;
       end if;
       return null;
     end
   $$`,
  `create function tell_closes_row() returns trigger language plpgsql as $$
     begin
       perform record_calls(
         new.user_id, (select login from users where id = new.user_id), 'closed', webservice_close(new),
         new.updated_at, null);
       return null;
     end
   $$`,
]

const OWN_COLUMNS = [
  ...['login', 'email', 'first_name', 'last_name', 'phone', 'pool_year', 'pool_month', 'kind', 'status', 'image'],
  ...['password_digest', 'revision'],
]
const rowOf = (row: string, columns: readonly string[]) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`
const differ = (columns: readonly string[]) => `(${rowOf('old', columns)} is distinct from ${rowOf('new', columns)})`

const trigger = (name: string, on: string, condition: string, call: string) =>
  `create constraint trigger ${name} after ${on} deferrable initially deferred
   for each row ${condition && `when (${condition})`} execute function ${call}`

const TRIGGERS = [
  trigger('users_created', 'insert on users', '', "tell_users_row('created')"),
  trigger('users_updated', 'update on users', differ(OWN_COLUMNS), "tell_users_row('updated')"),
  trigger(
    'users_unclosed',
    'update on users',
    'old.closed_at is not null and new.closed_at is null',
    "tell_users_row('unclosed')",
  ),
  trigger('campus_users_joined', 'insert on campus_users', '', 'tell_campus_users_row()'),
  trigger('campus_users_left', 'delete on campus_users', '', 'tell_campus_users_row()'),
  trigger(
    'campus_users_changed',
    'update on campus_users',
    differ(['user_id', 'campus_id', 'is_primary']),
    'tell_campus_users_row()',
  ),
  trigger('closes_made', 'insert on closes', "new.state = 'close'", 'tell_closes_row()'),
  trigger(
    'closes_moved',
    'update on closes',
    "new.state = 'close' and old.state is distinct from 'close'",
    'tell_closes_row()',
  ),
]

/** Calls to an endpoint that is switched off are dead, visibly; one that is switched on begins with a clean slate. */
const SWITCHING = [
  `create function switch_endpoint() returns trigger language plpgsql as $$
     begin
       if new.active then
         delete from endpoint_failures where endpoint_id = new.id;
         update endpoints set switched_off_at = null, switched_off_because = null
           where id = new.id and switched_off_at is not null;
       else
         update deliveries set state = 'dead', due_at = null, error = coalesce(error, 'the endpoint is switched off'),
           sealed = null, sealed_by = null, secrets = case secrets when 'sealed' then 'erased' else secrets end,
           decided_at = coalesce(new.switched_off_at, new.updated_at),
           updated_at = coalesce(new.switched_off_at, new.updated_at)
         where endpoint_id = new.id and state = 'pending';
       end if;
       return null;
     end
   $$`,
  `create trigger endpoints_switched after update on endpoints
   for each row when (old.active is distinct from new.active) execute function switch_endpoint()`,
]
