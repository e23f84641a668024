import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

export const MARK_FUNCTIONS: readonly SqlFunction[] = [
  // Stores the mark before the first counted change of a projects_user, since the level includes that mark already.
  // Stores nothing in transactions of the mirror, which set 'campus.journals' to 'off'.
  {
    name: 'remember_starting_mark',
    body: `
      begin
        insert into counted_marks (projects_user_id, starting_mark)
        select old.id, case when old.validated then old.final_mark end
        where coalesce(current_setting('campus.journals', true), '') <> 'off'
        on conflict do nothing;
        return null;
      end
    `,
  },
]

export const MARK_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'projects_users_marked',
    table: 'projects_users',
    on: 'after update of final_mark, validated',
    condition: '(old.final_mark, old.validated) is distinct from (new.final_mark, new.validated)',
    call: 'remember_starting_mark()',
  },
]
