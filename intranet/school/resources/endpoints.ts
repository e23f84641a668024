import { idKind } from '@campus/engine/rest/declare/fields/bounds'
import { boolean, integer, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many } from '@campus/engine/rest/declare/fields/embeds'
import { objectTextKind, textKind } from '@campus/engine/rest/declare/fields/kinds'
import { sealed } from '@campus/engine/rest/declare/fields/sealed'
import { memberAction } from '@campus/engine/rest/declare/member-action'
import { resource } from '@campus/engine/rest/declare/resource'
import { authorizeEndpoint } from '../../access/powers.ts'
import type { Sealer } from '../../services/sealing/sealer.ts'
import { recordCallback } from '../../webhooks/callbacks.ts'
import { addressRule } from '../../webhooks/delivery-request.ts'
import { ENABLING_FIELDS } from '../../webhooks/disabled-endpoints.ts'
import { finishChange, finishRegistration } from '../../webhooks/enable-endpoint.ts'
import { endpointStatus } from '../../webhooks/endpoint-status.ts'
import { RANGE_PAYLOAD, replayOfEndpoint } from '../../webhooks/replay.ts'
import { role } from './access.ts'
import { requiredParameter } from './parameters.ts'

const basic = role('Basic Staff')
const staff = role('Advanced Staff')

export const endpoints = (sealer: Sealer) =>
  resource({
    name: 'endpoints',
    summary:
      'The webservice of one or more campuses: it gets a webhook when an account is created, changed, closed or opened again.',
    unmirrored: 'a copy must not call the webservices of a school',
    fields: {
      id: integer({ min: 1 }),
      url: described('address of the webservice, over HTTPS', text({ max: 2048, required: true })),
      description: described('what it is for, in the words of staff', text({ nullable: true })),
      ...timestamps(),
      campus: described('campuses whose users it is told of', many('campus', 'short')),
      secret: described('secret that goes along as `key`; null where none does', sealed('endpoints.secret', sealer)),
      active: described('whether it is switched on', boolean({ hidden: true })),
    },
    representations: { embedded: ['id', 'url', 'description', 'created_at', 'updated_at'] },
    index: { defaultSort: ['-created_at', '-id'] },
    payload: {
      accepts: ['id', 'url', 'secret', 'description', 'created_at', 'updated_at', 'active'],
      triggersOn: ENABLING_FIELDS,
      rules: { url: addressRule },
    },
    authorize: authorizeEndpoint,
    dependents: {
      deleted: ['callbacks.endpoint_id', 'deliveries.endpoint_id', 'endpoint_failures.endpoint_id'],
      released: ['campus.endpoint_id'],
    },
    actions: {
      index: basic,
      show: basic,
      create: { access: basic, finish: finishRegistration },
      update: { access: staff, finish: finishChange },
      destroy: { access: staff },
      members: {
        callback: memberAction({
          access: staff,
          description: 'reports what the webservice answered to an earlier call',
          method: 'POST',
          unwrapped: true,
          accepts: {
            url: requiredParameter('address that was called', textKind({ max: 2048 })),
            user_id: requiredParameter('id of the user whom the call told of', idKind),
            initial_data: requiredParameter('what was sent', objectTextKind),
            response_data: requiredParameter('what was answered', objectTextKind),
          },
          respond: recordCallback,
          schema: (schemaOf) => schemaOf('callbacks', 'record'),
        }),
        replay: {
          access: basic,
          description: 'sends the deliveries of a span of time again',
          method: 'POST',
          accepts: RANGE_PAYLOAD,
          respond: replayOfEndpoint,
          schema: () =>
            objectSchema({
              replayed: { type: 'integer', minimum: 0, description: 'How many deliveries are sent again.' },
            }),
        },
      },
      queryActions: {
        status: {
          access: basic,
          description: 'tells whether it is switched on, since when not and why, and how its deliveries went',
          ...endpointStatus,
        },
      },
    },
  })
