import { open, permit } from '../rest/declare/access.ts'
import { boolean, integer, text, timestamps } from '../rest/declare/fields/columns.ts'
import { described } from '../rest/declare/fields/described.ts'
import { resource } from '../rest/declare/resource.ts'
import { role } from './access.ts'

export const flags = resource({
  name: 'flags',
  summary: 'The gist of an evaluation; one that is not positive counts as a mark of 0.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    positive: described('whether the mark counts; where not, it is 0', boolean()),
    icon: described('name of its icon', text({ max: 255, required: true })),
    ...timestamps(),
  },
  webhook: { embedded: { id: integer(), name: text(), positive: boolean() } },
  index: { defaultSort: ['name', '-id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})
