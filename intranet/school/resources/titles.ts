import { open, permit } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const staff = role('Advanced Staff')

export const titles = resource({
  name: 'titles',
  summary: 'Words of honour that a user may wear; %login in the name stands for theirs.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: described(
      'words of the title, with `%login` where the login of the user goes',
      text({ max: 255, required: true }),
    ),
    ...timestamps({ hidden: true }),
  },
  index: { defaultSort: ['name', '-id'] },
  parents: [under('users', { through: joins.titlesUsers })],
  dependents: { released: ['achievements.title_id'] },
  actions: permit({ read: open, write: staff }),
})

export const titlesUsers = resource({
  name: 'titles_users',
  summary: 'A user holds a title and may have selected it to be shown.',
  large: true,
  fields: {
    id: integer(),
    user_id: reference('users', { required: true }),
    title_id: reference('titles', { required: true }),
    selected: described('whether it is the title that the user wears', boolean()),
    ...timestamps(),
  },
  parents: [under('users', { actions: ['index', 'create'] }), under('titles', { actions: ['index', 'create'] })],
  payload: {
    mayBeBare: true,

    checks: {
      titles_users_selected_key: ['selected', 'is true of another title of this user already; set it to false there'],
    },
  },
  actions: permit({ read: open, write: staff }),
})
