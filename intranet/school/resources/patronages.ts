import { permit } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

const read = role('Basic Tutor')

export const patronages = resource({
  name: 'patronages',
  summary: 'An older student, the godfather, looks after a younger one.',
  large: true,
  fields: {
    id: integer(),
    user_id: described('id of the user who is looked after', reference('users', { required: true })),
    godfather_id: described('id of the user who looks after the other', reference('users', { required: true })),
    ongoing: described('whether it still goes on', boolean()),
    ...timestamps(),
    user: described('user who is looked after', one('users', 'short')),
    godfather: described('user who looks after the other', one('users', 'short')),
  },
  representations: { embedded: ['id', 'user_id', 'godfather_id', 'ongoing', 'created_at', 'updated_at'] },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [under('users', { by: 'user_id', actions: ['index', 'create'] })],
  payload: { checks: { patronages_self_check: ['godfather_id', 'must be somebody else'] } },
  actions: permit({ read: read, write: role('Advanced Tutor') }),
})
