import { either, permit, person } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { textKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import { ignoredParameter } from './parameters.ts'

const reader = either(person, role('Advanced Staff'))
const optional = { nullable: true } as const

export const broadcasts = resource({
  name: 'broadcasts',
  summary: 'A few words from a campus to those who come by.',
  fields: {
    id: integer(),
    campus_id: reference('campus', { required: true }),
    tag_id: described('id of the word under which it belongs; null for none', reference('tags', optional)),
    content: described('what there is to say, in Markdown', text({ required: true })),
    pinned_until: described('until when it stays on top; null where it does not', time(optional)),
    hidden_at: described('when it was hidden; null while it is shown', time(optional)),
    url: described('address to read on at; null where there is none', text({ max: 2048, ...optional })),
    ...timestamps(),
    content_html: described('always null; Markdown is not rendered', text(optional)),
    position: described('place among others, from 0', integer({ min: 0 })),
    is_shown: described('whether it is not hidden', boolean({ hidden: true })),
  },
  index: {
    sort: { except: ['is_shown'] },
    defaultSort: ['-created_at', '-id'],
    customFilters: { hidden: whenSet('hidden_at') },
  },
  concealed: { unless: 'is_shown', access: role('Basic Staff') },
  parents: [under('campus')],
  payload: {
    accepts: { except: ['content_html', 'is_shown'] },
    extra: {
      content_html: ignoredParameter('ignored; HTML of clients is not repeated', textKind()),
    },
  },
  actions: permit({ read: reader, write: role('Advanced Staff') }),
})
