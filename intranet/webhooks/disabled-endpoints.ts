import { type Message, message } from '@campus/engine/base/languages/say'
import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'
import { APPLICATION_TABLES, CAMPUS_TABLES, type DeliveryTables } from './delivery-tables.ts'
import { DISABLE_AFTER } from './schedule.ts'

/*
 * Why an endpoint of a campus, or a webhook of an application, is disabled, and how it is enabled again. The column is `active`
 * in both tables; pages say *switched on* and *switched off*.
 *
 * Disabled:
 * - by the service, for one of `DISABLED_REASONS`, which `switched_off_because` holds (`disableFailing` in `record-outcomes.ts`, and
 *   `DISABLE_AFTER_LOST_SECRET`);
 * - by staff or the owner: `active: false` through the API, or the button of its page. No reason is stored;
 * - by a restore for trials (`campus restore --trial`), endpoints only. No reason is stored.
 *
 * A disabled endpoint is not called: its pending deliveries are dead, and changes are not recorded for it.
 *
 * Enabled again, even without a secret, so set a new one first if it was lost:
 * - by `ENABLING_FIELDS` through the API: `PATCH` or `PUT` of `/v2/endpoints/:id` or `/v2/apps/:app_id/webhooks/:id`;
 * - by the button of /staff/endpoints/:id, or of the webhook's page at /applications;
 * - by another address in the form /staff/endpoints/:id/edit, which does not send an unchanged address.
 *
 * The triggers below do the rest. Dead deliveries can be replayed (`replay.ts`).
 */

/** Reasons for which the service disables an endpoint. The column holds the code, with its value behind it if it has one. */
export const DISABLED_REASONS = {
  /** An attempt was answered with 410 (spec: webhooks 9). */
  gone: () => 'it answered 410 Gone',
  /** All attempts failed for `DISABLE_AFTER` (spec: webhooks 12, 22). */
  failing: (calls: string) =>
    message('for {days} days every call failed ({calls} tries)', { days: DISABLE_AFTER.days, calls }),
  /** The secret key was lost (`campus secret-key reset`, or a restore without secrets): the receiver could not check calls. */
  secret_lost: () => 'its secret was lost together with the key: set another, and switch it on',
} satisfies Readonly<Record<string, (value: string) => Message>>

/** Fields of a payload that enable: `active: true`, or `url` without `active` (of an endpoint even unchanged). */
export const ENABLING_FIELDS = ['url', 'active'] as const

/** Returns whether an endpoint is enabled after a change that sends these fields. */
export const enabledAfter = (
  wasEnabled: boolean,
  { url, active }: { readonly url?: unknown; readonly active?: boolean | undefined },
): boolean => active ?? (wasEnabled || url !== undefined)

/** Assignments that disable an endpoint whose secret was lost at the time `$1`. A disabled endpoint keeps its reason. */
export const DISABLE_AFTER_LOST_SECRET = `active = false,
  switched_off_at = case when active then $1::timestamptz else switched_off_at end,
  switched_off_because = case when active then 'secret_lost' else switched_off_because end`

/** Function of the trigger on `active`. `assignments` are further ones to an enabled endpoint, each after a comma. */
const switchFunction = (name: string, tables: DeliveryTables, assignments = ''): SqlFunction => {
  const { subscriptions, deliveries, failures, subscriptionId, hasSecrets } = tables
  const erased = `,
            sealed = null, sealed_by = null, secrets = case secrets when 'sealed' then 'erased' else secrets end`
  return {
    name,
    body: `
      begin
        if new.active then
          delete from ${failures} where ${subscriptionId} = new.id;
          update ${subscriptions} set switched_off_at = null, switched_off_because = null${assignments}
            where id = new.id${assignments === '' ? ' and switched_off_at is not null' : ''};
        else
          update ${deliveries} set state = 'dead', due_at = null, error = coalesce(error, 'switched_off')${hasSecrets ? erased : ''},
            decided_at = coalesce(new.switched_off_at, new.updated_at),
            updated_at = coalesce(new.switched_off_at, new.updated_at)
          where ${subscriptionId} = new.id and state = 'pending';
        end if;
        return null;
      end
    `,
  }
}

const switchTrigger = (table: string, call: string): SqlTrigger => ({
  name: `${table}_switched`,
  table,
  on: 'after update',
  condition: 'old.active is distinct from new.active',
  call,
})

export const ENDPOINT_FUNCTIONS: readonly SqlFunction[] = [
  switchFunction('switch_endpoint', CAMPUS_TABLES),
  // Changes made while the webhook was disabled are not sent.
  switchFunction('switch_webhook', APPLICATION_TABLES, ', since = (select position from feed_relay)'),
]

export const ENDPOINT_TRIGGERS: readonly SqlTrigger[] = [
  switchTrigger('endpoints', 'switch_endpoint()'),
  switchTrigger('webhooks', 'switch_webhook()'),
]
