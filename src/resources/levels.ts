import { role } from '../rest/declare/access.ts'
import { integer, reference, time } from '../rest/declare/fields/columns.ts'
import { described } from '../rest/declare/fields/described.ts'
import { resource, under } from '../rest/declare/resource.ts'

const staff = { access: role('Advanced Staff') }

export const levels = resource({
  name: 'levels',
  singular: 'level',
  summary: 'How much experience a level of a cursus takes.',
  fields: {
    id: integer(),
    lvl: described('number of the level', integer({ min: 0 })),
    xp: described('experience from which on one has it', integer({ min: 0 })),
    cursus_id: reference('cursus'),
    created_at: time(),
  },
  index: { sort: ['id', 'lvl', 'xp', 'cursus_id', 'created_at'], defaultSort: ['-created_at', '-id'] },
  parents: [under('cursus')],
  payload: { accepts: ['lvl', 'xp', 'cursus_id'], requires: ['lvl', 'xp', 'cursus_id'] },
  actions: { index: role('Basic Staff'), show: role('Basic Staff'), create: staff, update: staff, destroy: staff },
})
