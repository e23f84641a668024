import { type AnyDatabase, run } from '../tables.ts'

/**
 * An application is suspended while the account of its owner is closed, whoever closes the one or gives the other away.
 * What acted for people whose accounts are closed ends for good, as it does from now on when an account is closed.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'alter table applications add column suspended_at timestamptz(3)',
    // The lock has a close that is just being made wait for this, or this for the close.
    `create function suspend_with_owner() returns trigger language plpgsql as $$
     begin
       new.suspended_at := null;
       select closed_at into new.suspended_at from users where id = new.owner_id for share;
       return new;
     end $$`,
    `create trigger applications_suspended before insert or update of owner_id on applications
     for each row execute function suspend_with_owner()`,
    `create function suspend_applications() returns trigger language plpgsql as $$
     begin
       update applications set suspended_at = new.closed_at where owner_id = new.id;
       return null;
     end $$`,
    `create trigger users_suspend after update of closed_at on users
     for each row when (old.closed_at is distinct from new.closed_at) execute function suspend_applications()`,
    `update applications set suspended_at = users.closed_at from users
     where users.id = applications.owner_id and users.closed_at is not null`,
    'delete from sessions using users where users.id = sessions.user_id and users.closed_at is not null',
    'delete from password_resets using users where users.id = password_resets.user_id and users.closed_at is not null',
    `update token_families set revoked_at = users.closed_at from users
     where users.id = token_families.user_id and users.closed_at is not null and token_families.revoked_at is null`,
    `update access_tokens set revoked_at = users.closed_at from users
     where users.id = access_tokens.resource_owner_id and users.closed_at is not null and access_tokens.revoked_at is null`,
  )
}
