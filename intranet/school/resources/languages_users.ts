import { either, open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

export const languagesUsers = resource({
  name: 'languages_users',
  summary: 'A language that a user speaks, in the order of preference.',
  large: true,
  aggregates: { times: ['created_at'] },
  fields: {
    id: integer(),
    language_id: reference('languages', { required: true }),
    user_id: reference('users', { required: true }),
    position: described('place in the order of preference, lowest first', integer({ min: 0 })),
    created_at: time(),
    updated_at: time({ hidden: true }),
  },
  graph: { fields: ['created_at'], default: 'created_at' },
  parents: [under('users', { actions: ['index', 'create'] })],
  actions: permit({ read: open, write: either(role('Advanced Tutor'), role('Advanced Staff')) }),
})
