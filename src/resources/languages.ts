import { open, role } from '../rest/declare/access.ts'
import { described } from '../rest/declare/described.ts'
import { integer, text, time } from '../rest/declare/fields/columns.ts'
import { resource } from '../rest/declare/resource.ts'

const staff = { access: role('Advanced Staff') }

export const languages = resource({
  name: 'languages',
  singular: 'language',
  summary: 'A language that campuses work in, users speak and documents are written in.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    identifier: described('short code of the language, such as `en`', text({ max: 10 })),
    created_at: time(),
    updated_at: time(),
  },
  representations: { short: ['id', 'name', 'identifier'] },
  index: { sort: ['id', 'name', 'identifier', 'created_at', 'updated_at'], defaultSort: ['id'] },
  payload: { accepts: ['name', 'identifier'], requires: ['name', 'identifier'] },
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})
