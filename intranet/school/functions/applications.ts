import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

export const APPLICATION_FUNCTIONS: readonly SqlFunction[] = [
  // The lock makes a concurrent close wait, or this insert wait for the close.
  {
    name: 'suspend_with_owner',
    body: `
      begin
        new.suspended_at := null;
        select closed_at into new.suspended_at from users where id = new.owner_id for share;
        return new;
      end
    `,
  },
  {
    name: 'suspend_applications',
    body: `
      begin
        update applications set suspended_at = new.closed_at where owner_id = new.id;
        return null;
      end
    `,
  },
]

export const APPLICATION_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'applications_suspended',
    table: 'applications',
    on: 'before insert or update of owner_id',
    call: 'suspend_with_owner()',
  },
  {
    name: 'users_suspend',
    table: 'users',
    on: 'after update of closed_at',
    condition: 'old.closed_at is distinct from new.closed_at',
    call: 'suspend_applications()',
  },
]
