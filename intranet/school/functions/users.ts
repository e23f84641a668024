import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Clears the verification of an e-mail address when the address changes. */
export const USER_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'clear_email_verification',
    body: `
      begin
        new.email_verified_at := null;
        return new;
      end
    `,
  },
]

export const USER_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'users_email_changed',
    table: 'users',
    on: 'before update of email',
    condition: 'old.email is distinct from new.email',
    call: 'clear_email_verification()',
  },
]
