import { permit } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const tutor = role('Basic Tutor')
const staff = role('Advanced Staff')

const optional = { nullable: true } as const

export const accreditations = resource({
  name: 'accreditations',
  summary: 'What the school attests that users are able to do.',
  retainedTexts: 'names of what is accredited',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    user_id: described(
      'id of the user who is responsible for it; null where nobody is named',
      reference('users', optional),
    ),
    cursus_id: reference('cursus', optional),
    validated: described('whether it has been confirmed', boolean()),
    difficulty: described('how hard it is to get', integer({ min: 0, ...optional })),
    ...timestamps({ hidden: true }),
  },
  parents: [under('cursus'), under('users', { through: joins.accreditationsUsers })],
  actions: permit({ read: tutor, write: staff }),
})

export const accreditationsUsers = resource({
  name: 'accreditations_users',
  summary: 'A user has an accreditation.',
  large: true,
  fields: {
    id: integer(),
    accreditation_id: reference('accreditations', { required: true }),
    user_id: reference('users', { required: true }),
    ...timestamps(),
  },
  parents: [
    under('accreditations', { actions: ['index', 'create'] }),
    under('users', { actions: ['index', 'create'] }),
  ],
  actions: permit({ read: tutor, write: staff }),
})
