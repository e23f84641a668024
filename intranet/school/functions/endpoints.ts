import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

type Enabling = {
  readonly name: string
  readonly subscriptions: string
  readonly deliveries: string
  readonly failures: string
  /** Column of deliveries and failures with the id of the subscription. */
  readonly id: string
  /** Further assignments to an enabled subscription, and to the deliveries of a disabled one. Each begins with a comma. */
  readonly on: string
  readonly off: string
}

/** Marks the deliveries of a disabled subscription as dead, and deletes the failures of an enabled one. */
const enablingFunction = ({ name, subscriptions, deliveries, failures, id, on, off }: Enabling): SqlFunction => ({
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
  enablingFunction({
    name: 'switch_endpoint',
    subscriptions: 'endpoints',
    deliveries: 'deliveries',
    failures: 'endpoint_failures',
    id: 'endpoint_id',
    on: '',
    off: `,
            sealed = null, sealed_by = null, secrets = case secrets when 'sealed' then 'erased' else secrets end`,
  }),
  // Changes made while the webhook was disabled are not sent.
  enablingFunction({
    name: 'switch_webhook',
    subscriptions: 'webhooks',
    deliveries: 'webhook_deliveries',
    failures: 'webhook_failures',
    id: 'webhook_id',
    on: ', since = (select position from feed_relay)',
    off: '',
  }),
]

const enablingTrigger = (table: string, call: string): SqlTrigger => ({
  name: `${table}_switched`,
  table,
  on: 'after update',
  condition: 'old.active is distinct from new.active',
  call,
})

export const ENDPOINT_TRIGGERS: readonly SqlTrigger[] = [
  enablingTrigger('endpoints', 'switch_endpoint()'),
  enablingTrigger('webhooks', 'switch_webhook()'),
]
