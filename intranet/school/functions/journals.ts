import { defined } from '@campus/engine/base/defined'
import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Entries about users by campus, in the transaction of the event (spec: school 6). */
export const JOURNAL_FUNCTIONS: readonly SqlFunction[] = [
  // Writes nothing if the transaction sets 'campus.journals' to 'off', and nothing for users without a campus. Without
  // an id the entry is about the user, without times it is about the creation. The course is an active one, the latest
  // begun first.
  {
    name: 'write_journal',
    parameters:
      'people integer[], about_type text, about_id integer, why text, happened_at timestamp with time zone, written_at timestamp with time zone',
    returns: 'void',
    language: 'sql',
    body: `
      insert into journals (user_id, item_type, item_id, cursus_id, campus_id, reason, event_at, alumni, closed, created_at, updated_at)
      select u.id, about_type, coalesce(about_id, u.id), c.cursus_id, m.campus_id, why, coalesce(happened_at, u.created_at),
        u.alumnized_at is not null, u.closed_at is not null, coalesce(written_at, u.created_at), coalesce(written_at, u.created_at)
      from users u join campus_users m on m.user_id = u.id and m.is_primary
      left join lateral (
        select cursus_id from cursus_users where user_id = u.id
        order by coalesce(end_at > coalesce(happened_at, u.created_at), true) desc, begin_at desc, id desc limit 1) c on true
      where u.id = any(people) and coalesce(current_setting('campus.journals', true), '') <> 'off'
      order by u.id
    `,
  },
  // Notes ranges, since ids of an import are consecutive.
  {
    name: 'note_created_people',
    body: `
      declare
        noted int4multirange := coalesce(nullif(current_setting('campus.created_people', true), ''), '{}');
      begin
        select noted + coalesce(range_agg(int4range(id, id, '[]')), '{}') into noted from changed;
        perform set_config('campus.created_people', noted::text, true);
        return null;
      end
    `,
  },
  // Runs once for all users of the transaction: one by one, an import of thousands takes minutes.
  {
    name: 'write_journals_of_created',
    body: `
      declare
        noted int4multirange := coalesce(nullif(current_setting('campus.created_people', true), ''), '{}');
      begin
        if isempty(noted) then return null; end if;
        perform set_config('campus.created_people', '', true);
        perform write_journal(
          array(select u.id from unnest(noted) ids join users u on u.id >= lower(ids) and u.id < upper(ids)),
          'User', null, 'created', null, null);
        return null;
      end
    `,
  },
  {
    name: 'write_journal_of_user',
    body: `
      declare
        why text := tg_argv[0];
        happened_at timestamptz := case why
          when 'alumnized' then new.alumnized_at
          when 'closed' then new.closed_at
          else new.updated_at end;
      begin
        perform write_journal(array[new.id], 'User', new.id, why, happened_at, new.updated_at);
        return null;
      end
    `,
  },
  {
    name: 'write_journal_of_scale_team',
    body: `
      begin
        perform write_journal(
          array(select user_id from teams_users where team_id = new.team_id and validated),
          'ScaleTeam', new.id, 'corrected', new.filled_at, new.updated_at);
        perform write_journal(array[new.user_id], 'ScaleTeam', new.id, 'corrector', new.filled_at, new.updated_at);
        return null;
      end
    `,
  },
]

const moves = (column: string, set: string, unset: string): readonly SqlTrigger[] =>
  [
    [set, `old.${column} is null and new.${column} is not null`],
    [unset, `old.${column} is not null and new.${column} is null`],
  ].map(([why, condition]) => ({
    name: `users_journal_${why}`,
    table: 'users',
    on: `after update of ${column}`,
    condition: defined(condition),
    call: `write_journal_of_user('${why}')`,
  }))

export const JOURNAL_TRIGGERS: readonly SqlTrigger[] = [
  // Deferred, since the campus of a new user is inserted after the user.
  {
    name: 'users_journal_noted',
    table: 'users',
    on: 'after insert',
    transitions: 'new table as changed',
    call: 'note_created_people()',
  },
  {
    name: 'users_journal_created',
    table: 'users',
    on: 'after insert',
    call: 'write_journals_of_created()',
    isDeferred: true,
  },
  ...moves('alumnized_at', 'alumnized', 'dealumnized'),
  ...moves('closed_at', 'closed', 'unclosed'),
  {
    name: 'scale_teams_journal_entered',
    table: 'scale_teams',
    on: 'after insert',
    condition: 'new.filled_at is not null',
    call: 'write_journal_of_scale_team()',
  },
  {
    name: 'scale_teams_journal_filled',
    table: 'scale_teams',
    on: 'after update of filled_at',
    condition: 'old.filled_at is null and new.filled_at is not null',
    call: 'write_journal_of_scale_team()',
  },
]
