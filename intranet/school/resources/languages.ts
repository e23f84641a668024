import { either, open, permit } from '@campus/engine/rest/declare/access'
import { integer, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

export const languages = resource({
  name: 'languages',
  summary: 'A language that campuses work in, users speak and documents are written in.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    identifier: described('short code of the language, such as `en`', text({ max: 10, required: true })),
    ...timestamps(),
  },
  representations: { short: ['id', 'name', 'identifier'] },
  answers: { index: 'short', show: 'short' },
  graph: { fields: ['created_at', 'updated_at'], default: 'created_at' },
  actions: permit({ read: open, write: either(role('Advanced Tutor'), role('Advanced Staff')) }),
})
