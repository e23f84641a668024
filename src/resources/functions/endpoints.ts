import type { SqlFunction, SqlTrigger } from '../../database/functions/definitions.ts'

type Switched = {
  readonly name: string
  readonly subscriptions: string
  readonly deliveries: string
  readonly failures: string
  /** The column of both that holds the id of the subscription. */
  readonly id: string
  /** What else is set when it is switched on, and in its deliveries when it is switched off; with a comma before. */
  readonly on: string
  readonly off: string
}

/** Deliveries to a subscription that is switched off are dead, visibly; one that is switched on begins without failures. */
const switchFunction = ({ name, subscriptions, deliveries, failures, id, on, off }: Switched): SqlFunction => ({
  name,
  body: `
      begin
        if new.active then
          delete from ${failures} where ${id} = new.id;
          update ${subscriptions} set switched_off_at = null, switched_off_because = null${on}
            where id = new.id${on === '' ? ' and switched_off_at is not null' : ''};
        else
          update ${deliveries} set state = 'dead', due_at = null, error = coalesce(error, 'switched_off')${off},
            decided_at = coalesce(new.switched_off_at, new.updated_at),
            updated_at = coalesce(new.switched_off_at, new.updated_at)
          where ${id} = new.id and state = 'pending';
        end if;
        return null;
      end
    `,
})

export const ENDPOINT_FUNCTIONS: readonly SqlFunction[] = [
  switchFunction({
    name: 'switch_endpoint',
    subscriptions: 'endpoints',
    deliveries: 'deliveries',
    failures: 'endpoint_failures',
    id: 'endpoint_id',
    on: '',
    off: `,
            sealed = null, sealed_by = null, secrets = case secrets when 'sealed' then 'erased' else secrets end`,
  }),
  // What changed while it was off is not sent.
  switchFunction({
    name: 'switch_webhook',
    subscriptions: 'webhooks',
    deliveries: 'webhook_deliveries',
    failures: 'webhook_failures',
    id: 'webhook_id',
    on: ', since = (select position from feed_relay)',
    off: '',
  }),
]

const switched = (table: string, call: string): SqlTrigger => ({
  name: `${table}_switched`,
  table,
  on: 'after update',
  condition: 'old.active is distinct from new.active',
  call,
})

export const ENDPOINT_TRIGGERS: readonly SqlTrigger[] = [
  switched('endpoints', 'switch_endpoint()'),
  switched('webhooks', 'switch_webhook()'),
]
