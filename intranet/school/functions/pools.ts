import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** A pool remembers what it held before it last got points, since webhooks show both. */
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
