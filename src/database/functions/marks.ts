import type { SqlFunction, SqlTrigger } from './definitions.ts'

export const MARK_FUNCTIONS: readonly SqlFunction[] = [
  // Stores the mark that a projects_user had before its first counted change: the level includes it. Stores nothing in
  // transactions that copy what was written elsewhere ('campus.journals').
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
