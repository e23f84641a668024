import { open, permit } from '@campus/engine/rest/declare/access'
import { choice, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const staff = role('Advanced Staff')

export const groups = resource({
  name: 'groups',
  summary: 'A label under which staff gather users.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    ...timestamps({ hidden: true }),
    color: described('colour in which it is shown, as `#rrggbb`', text({ max: 32, nullable: true, hidden: true })),
    kind: described('how it is shown', choice(['important', 'normal', 'hidden'], { hidden: true })),
  },
  index: { sort: { except: ['color', 'kind'] }, defaultSort: ['name', '-id'] },
  parents: [under('users', { through: joins.groupsUsers })],
  actions: permit({ read: open, write: staff }),
})

export const groupsUsers = resource({
  name: 'groups_users',
  summary: 'A user belongs to a group.',
  large: true,
  fields: {
    id: integer(),
    user_id: reference('users', { required: true }),
    group_id: reference('groups', { required: true }),
    ...timestamps(),
    group: one('groups', 'record'),
  },
  parents: [under('users', { actions: ['index', 'create'] }), under('groups', { actions: ['index', 'create'] })],
  actions: permit({ read: open, write: staff }),
})
