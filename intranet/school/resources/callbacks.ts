import { integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { replacedWhereHidden } from '@campus/engine/rest/declare/fields/guarded'
import { json } from '@campus/engine/rest/declare/fields/json'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import { BODIES_ARE_SECRET } from './delivery-bodies.ts'

const staff = role('Basic Staff')
const anything = { type: 'object', additionalProperties: true }

export const callbacks = resource({
  name: 'callbacks',
  summary: 'What a webservice answered to an earlier call, as it was reported later.',
  large: true,
  unmirrored: 'they belong to deliveries',
  fields: {
    id: integer(),
    endpoint_id: reference('endpoints'),
    user_id: described('id of the user whom the call told of', reference('users')),
    url: described('address that was called', text()),
    initial_data: described(
      'what was sent, without secrets; `{}` for people who may not change the webservice',
      replacedWhereHidden(BODIES_ARE_SECRET, json(anything), '{}'),
    ),
    response_data: described(
      'what was answered, without secrets; `{}` for people who may not change the webservice',
      replacedWhereHidden(BODIES_ARE_SECRET, json(anything), '{}'),
    ),
    ...timestamps(),
  },
  parents: [under('endpoints')],
  actions: { index: staff, show: staff },
})
