import type { SqlFunction, SqlTrigger } from './definitions.ts'

/** Deliveries to an endpoint that is switched off are dead, visibly; one that is switched on begins without failures. */
export const ENDPOINT_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'switch_endpoint',
    body: `
      begin
        if new.active then
          delete from endpoint_failures where endpoint_id = new.id;
          update endpoints set switched_off_at = null, switched_off_because = null
            where id = new.id and switched_off_at is not null;
        else
          update deliveries set state = 'dead', due_at = null, error = coalesce(error, 'switched_off'),
            sealed = null, sealed_by = null, secrets = case secrets when 'sealed' then 'erased' else secrets end,
            decided_at = coalesce(new.switched_off_at, new.updated_at),
            updated_at = coalesce(new.switched_off_at, new.updated_at)
          where endpoint_id = new.id and state = 'pending';
        end if;
        return null;
      end
    `,
  },
]

export const ENDPOINT_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'endpoints_switched',
    table: 'endpoints',
    on: 'after update',
    condition: 'old.active is distinct from new.active',
    call: 'switch_endpoint()',
  },
]
