import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Former members of a team are stored, since they never evaluate it. */
export const TEAM_FUNCTIONS: readonly SqlFunction[] = [
  // A team or a user that is deleted takes its memberships along: by then there is nothing left to remember.
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

/** Those who never accepted an invitation were no members. */
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
