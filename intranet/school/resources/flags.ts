import { open, permit } from '@campus/engine/rest/declare/access'
import { boolean, integer, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource } from '@campus/engine/rest/declare/resource'
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
