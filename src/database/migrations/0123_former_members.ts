import { type AnyDatabase, run } from '../tables.ts'

/** Who has left a team never evaluates it; those who never accepted an invitation to it may. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create table former_members (
       team_id integer not null references teams on delete cascade,
       user_id integer not null references users on delete cascade,
       primary key (team_id, user_id)
     )`,
    'create index on former_members (user_id)',
    `create function remember_member() returns trigger language plpgsql as $$
     begin
       insert into former_members (team_id, user_id)
       select teams.id, users.id from teams, users where teams.id = old.team_id and users.id = old.user_id
       on conflict do nothing;
       return null;
     end $$`,
    // A team or a user that goes takes its memberships along: by then it is no longer there to be remembered.
    `create trigger teams_users_former after delete on teams_users for each row
     when (old.validated or old.leader) execute function remember_member()`,
    `create trigger teams_users_moved after update of team_id, user_id on teams_users for each row
     when ((old.validated or old.leader) and (old.team_id, old.user_id) is distinct from (new.team_id, new.user_id))
     execute function remember_member()`,
  )
}
