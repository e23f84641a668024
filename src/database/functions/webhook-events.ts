import type { SqlFunction, SqlTrigger } from './definitions.ts'

/**
 * The outbox of webhook events: every transaction that changes the record of a user records its deliveries, however the
 * change is made. The triggers run when the transaction commits, so that one event reports all that it did.
 */
export const WEBHOOK_EVENTS: readonly SqlFunction[] = [
  // An import may disable webhooks (`campus.webhooks`). A delivery is due once the user's earlier ones are: one that
  // waits for its next attempt delays those that follow. `offset` makes PostgreSQL use the index by user rather than
  // the one of all pending deliveries of the endpoint.
  {
    name: 'record_deliveries',
    parameters:
      'subject_id integer, subject_login text, event_name text, event_record json, happened_at timestamp with time zone, secrets jsonb',
    returns: 'void',
    language: 'sql',
    body: `
      insert into deliveries (
        endpoint_id, user_id, login, event, record, sealed, sealed_by, secrets, due_at, created_at, updated_at)
      select
        subscribed.id, subject_id, subject_login, event_name, event_record,
        record_deliveries.secrets ->> 'text', record_deliveries.secrets ->> 'by',
        case when record_deliveries.secrets is null then 'none' else 'sealed' end,
        greatest(happened_at, (
          select max(due_at) from (
            select due_at from deliveries d
            where d.user_id = subject_id and d.endpoint_id = subscribed.id and d.state = 'pending' offset 0) waiting)),
        happened_at, happened_at
      from (
        select distinct e.id from campus_users cu join campus c on c.id = cu.campus_id
        join endpoints e on e.id = c.endpoint_id where cu.user_id = subject_id and e.active
      ) subscribed
      where coalesce(current_setting('campus.webhooks', true), '') <> 'off'
    `,
  },
  // The lock makes changes of one user commit one after another, so that the last delivery has the last state.
  {
    name: 'record_user_event',
    parameters: 'subject_id integer, event_name text, known_login text, happened_at timestamp with time zone',
    returns: 'void',
    language: 'plpgsql',
    body: `
      declare
        person users;
      begin
        if current_setting('campus.webhooks', true) = 'off' or not exists (select 1 from endpoints where active) then
          return;
        end if;
        select * into person from users where id = subject_id for no key update;
        if not found or exists (
          select 1 from deliveries where user_id = subject_id and state = 'pending' and event in ('created', 'updated')
          and xmin = pg_current_xact_id()::xid
        ) then return; end if;
        perform record_deliveries(
          subject_id, coalesce(known_login, person.login), event_name, webservice_user(person),
          coalesce(happened_at, person.updated_at),
          nullif(current_setting('campus.sealed', true), '')::jsonb -> subject_id::text);
      end
    `,
  },
  {
    name: 'record_users_change',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        if tg_argv[0] = 'created' then perform record_user_event(new.id, 'created', null, null);
        elsif tg_argv[0] = 'updated' then perform record_user_event(new.id, 'updated', old.login, null);
        else perform record_deliveries(new.id, new.login, 'unclosed', '{}', new.updated_at, null);
        end if;
        return null;
      end
    `,
  },
  {
    name: 'record_campus_users_change',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        if tg_op = 'DELETE' then perform record_user_event(old.user_id, 'updated', null, now());
        else
          perform record_user_event(new.user_id, 'updated', null, new.updated_at);
          if tg_op = 'UPDATE' and old.user_id <> new.user_id then
            perform record_user_event(old.user_id, 'updated', null, new.updated_at);
          end if;
        end if;
        return null;
      end
    `,
  },
  {
    name: 'record_close',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        perform record_deliveries(
          new.user_id, (select login from users where id = new.user_id), 'closed', webservice_close(new),
          new.updated_at, null);
        return null;
      end
    `,
  },
]

/** The columns of users whose changes are events; `revision` grows with a change that leaves all others as they were. */
const USER_COLUMNS = [
  'login',
  'email',
  'first_name',
  'last_name',
  'phone',
  'pool_year',
  'pool_month',
  'kind',
  'status',
  'image',
  'password_digest',
  'revision',
]

const rowOf = (row: string, columns: readonly string[]) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`
const differ = (columns: readonly string[]) => `${rowOf('old', columns)} is distinct from ${rowOf('new', columns)}`

export const WEBHOOK_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'users_created',
    table: 'users',
    on: 'after insert',
    call: "record_users_change('created')",
    isDeferred: true,
  },
  {
    name: 'users_updated',
    table: 'users',
    on: 'after update',
    condition: differ(USER_COLUMNS),
    call: "record_users_change('updated')",
    isDeferred: true,
  },
  {
    name: 'users_unclosed',
    table: 'users',
    on: 'after update',
    condition: 'old.closed_at is not null and new.closed_at is null',
    call: "record_users_change('unclosed')",
    isDeferred: true,
  },
  {
    name: 'campus_users_joined',
    table: 'campus_users',
    on: 'after insert',
    call: 'record_campus_users_change()',
    isDeferred: true,
  },
  {
    name: 'campus_users_left',
    table: 'campus_users',
    on: 'after delete',
    call: 'record_campus_users_change()',
    isDeferred: true,
  },
  {
    name: 'campus_users_changed',
    table: 'campus_users',
    on: 'after update',
    condition: differ(['user_id', 'campus_id', 'is_primary']),
    call: 'record_campus_users_change()',
    isDeferred: true,
  },
  {
    name: 'closes_made',
    table: 'closes',
    on: 'after insert',
    condition: "new.state = 'close'",
    call: 'record_close()',
    isDeferred: true,
  },
  {
    name: 'closes_moved',
    table: 'closes',
    on: 'after update',
    condition: "new.state = 'close' and old.state is distinct from 'close'",
    call: 'record_close()',
    isDeferred: true,
  },
]
