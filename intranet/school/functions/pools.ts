import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Stores the points of a pool before the latest gift, since webhooks show both. */
export const POOL_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'remember_points',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        new.former_points := old.current_points;
        return new;
      end
    `,
  },
]

export const POOL_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'pools_given',
    table: 'pools',
    on: 'before update',
    condition: 'new.current_points > old.current_points',
    call: 'remember_points()',
  },
]
