import { open, permit } from '@campus/engine/rest/declare/access'
import { integer, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

export const changelogs = resource({
  name: 'changelogs',
  summary: 'What is new in a version of the intranet, in Markdown.',
  fields: {
    id: integer(),
    version: described('version that it is about', text({ max: 64, required: true })),
    name: described('title of the news; null where there is none', text({ max: 255, nullable: true })),
    content: described('what is new, in Markdown', text({ required: true })),
    ...timestamps(),
  },
  index: {
    sort: { except: ['content'] },
    defaultSort: ['-created_at', '-id'],
  },
  actions: permit({ read: open, write: role('Moderator') }),
})
