import { permit } from '@campus/engine/rest/declare/access'
import { integer, reference, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

export const levels = resource({
  name: 'levels',
  summary: 'How much experience a level of a cursus takes.',
  fields: {
    id: integer(),
    lvl: described('number of the level', integer({ min: 0, required: true })),
    xp: described('experience from which on one has it', integer({ min: 0, required: true })),
    cursus_id: reference('cursus', { required: true }),
    created_at: time(),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [under('cursus')],
  actions: permit({ read: role('Basic Staff'), write: role('Advanced Staff') }),
})
