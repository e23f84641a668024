import { permit } from '../rest/declare/access.ts'
import { integer, reference, text, timestamps } from '../rest/declare/fields/columns.ts'
import { alwaysNull, pictureAddress } from '../rest/declare/fields/computed.ts'
import { described } from '../rest/declare/fields/described.ts'
import { one } from '../rest/declare/fields/embeds.ts'
import { resource } from '../rest/declare/resource.ts'
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
  index: {
    sort: ['id', 'name', 'campus_id', 'created_at', 'updated_at', 'image'],
    defaultSort: ['-created_at', '-id'],
  },
  payload: { accepts: ['name', 'campus_id', 'image'] },
  actions: permit({ read: role('Basic Staff'), write: role('Advanced Staff') }),
})
