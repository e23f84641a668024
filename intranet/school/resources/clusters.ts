import { permit } from '@campus/engine/rest/declare/access'
import { integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { alwaysNull, pictureAddress } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

export const clusters = resource({
  name: 'clusters',
  summary: 'A room of a campus with seats at computers.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    image: described(
      'address of a plan of it; null where there is none',
      pictureAddress(text({ max: 2048, nullable: true })),
    ),
    cdn_link: alwaysNull,
    campus: one('campus', 'embedded'),
    ...timestamps(),
    campus_id: reference('campus', { hidden: true, required: true }),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  actions: permit({ read: role('Basic Staff'), write: role('Advanced Staff') }),
})
