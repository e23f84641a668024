import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Stores former members of a team, who never evaluate it. */
export const TEAM_FUNCTIONS: readonly SqlFunction[] = [
  // Skips memberships that are deleted with their team or user.
  {
    name: 'remember_member',
    body: `
      begin
        insert into former_members (team_id, user_id)
        select teams.id, users.id from teams, users where teams.id = old.team_id and users.id = old.user_id
        on conflict do nothing;
        return null;
      end
    `,
  },
]

/** Excludes users who never accepted an invitation. */
const WAS_MEMBER = '(old.validated or old.leader)'

export const TEAM_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'teams_users_former',
    table: 'teams_users',
    on: 'after delete',
    condition: WAS_MEMBER,
    call: 'remember_member()',
  },
  {
    name: 'teams_users_moved',
    table: 'teams_users',
    on: 'after update of team_id, user_id',
    condition: `${WAS_MEMBER} and (old.team_id, old.user_id) is distinct from (new.team_id, new.user_id)`,
    call: 'remember_member()',
  },
]
