import { type ActionInput, type Created, chosenId, type Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { either, own } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import { boolean, integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { textKind } from '@campus/engine/rest/declare/fields/kinds'
import { rewritten } from '@campus/engine/rest/declare/fields/rewritten'
import { resource, under } from '@campus/engine/rest/declare/resource'
import {
  authorizeWebhook,
  changeWebhook,
  createWebhook,
  deleteWebhook,
  type Subscribing,
  testWebhook,
  type WebhookValues,
} from '../../oauth/applications/webhooks.ts'
import { actingCaller } from '../../services/audit/actors.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { role } from './access.ts'
import { optionalParameter } from './parameters.ts'

const staff = role('Advanced Staff')
const ofOwner = own(throughRecord('applications', 'application_id', 'owner_id'))
const staffOrOwner = either(staff, ofOwner)
const optional = { nullable: true } as const

const reasonInJson = (json: string) => JSON.stringify(reasonInEnglish(JSON.parse(json)))

/** Fields that cannot change: another subject needs another webhook. */
const FIXED = ['application_id', 'model', 'event', 'campus_id'] as const

function valuesIn({ url, description, secret, active }: Values): WebhookValues {
  return {
    ...(typeof url === 'string' && { url }),
    ...((typeof description === 'string' || description === null) && { description }),
    ...(typeof secret === 'string' && { secret }),
    ...(typeof active === 'boolean' && { isEnabled: active }),
  }
}

const byWhom = ({ caller, now }: ActionInput) => ({ actor: actingCaller(caller), now })

/** `subscribing` holds what new webhooks need of the running service. */
export const webhooks = (subscribing: Subscribing) =>
  resource({
    name: 'webhooks',
    singular: 'webhook',
    summary: 'What an application is told when records change, and where.',
    unmirrored: 'applications and their secrets belong to one service',
    fields: {
      id: integer(),
      application_id: described('id of the application that is told', reference('apps', { required: true })),
      model: described('what it is told of, such as `scale_team`', text({ max: 255, required: true })),
      event: described(
        'what must become of it: `create`, `update`, `destroy`, or a name such as `close`',
        text({ max: 255, required: true }),
      ),
      campus_id: described('id of the campus whose records it is told of; null for all', reference('campus', optional)),
      url: described('address that is called, over HTTPS', text({ max: 2048, required: true })),
      description: described('what it is for', text({ max: 2048, ...optional })),
      active: described('whether it is called', boolean()),
      switched_off_at: described(
        'when it was switched off since calls failed; null while it is called',
        time(optional),
      ),
      switched_off_because: described('why it was switched off', rewritten(text(optional), reasonInJson)),
      created_at: time(),
      updated_at: time(),
    },
    index: {
      sort: { except: ['url', 'description', 'switched_off_at', 'switched_off_because'] },
      defaultSort: ['id'],
    },
    concealed: { access: staffOrOwner, application: 'application_id' },
    parents: [under('apps', { actions: ['index', 'show', 'create', 'update', 'destroy', 'members'] })],
    payload: {
      accepts: { except: ['switched_off_at', 'switched_off_because'] },
      extra: {
        secret: optionalParameter(
          'secret that goes along and signs; without one it is made, and answered this once',
          textKind({ max: 255 }),
        ),
      },
    },
    authorize: authorizeWebhook,
    dependents: {
      deleted: ['webhook_deliveries.webhook_id', 'webhook_failures.webhook_id'],
    },
    actions: {
      index: staffOrOwner,
      show: staffOrOwner,
      create: {
        access: staffOrOwner,
        onlyBelow: true,
        async perform(tx: Handle, input): Promise<Created> {
          const { application_id: applicationId, campus_id: campusId, model, event, url, ...values } = input.values
          const { id, secret } = await createWebhook(
            tx,
            { ...chosenId(values), ...valuesIn(values), applicationId, campusId, model, event, url },
            { ...subscribing, ...byWhom(input) },
          )
          return { id, oneTimeValues: { secret } }
        },
        oneTimeValues: { secret: 'The secret that was made, which is never shown again; null where one was given.' },
      },
      update: {
        access: staffOrOwner,
        async perform(tx, input) {
          const fixed = FIXED.filter((name) => input.values[name] !== undefined)
          if (fixed.length > 0)
            throw unprocessable(Object.fromEntries(fixed.map((name) => [name, ['cannot be changed']])))
          await changeWebhook(tx, input.id, valuesIn(input.values), { ...subscribing, ...byWhom(input) })
          return input.id
        },
      },
      destroy: {
        access: staffOrOwner,
        async perform(tx, input) {
          await deleteWebhook(tx, input.id, byWhom(input))
          return input.id
        },
      },
      members: {
        test: {
          access: staffOrOwner,
          description: 'sends it the newest record that it is about',
          method: 'POST',
          perform: (tx, input) => testWebhook(tx, input.id, { ...subscribing, ...byWhom(input) }),
        },
      },
    },
  })
