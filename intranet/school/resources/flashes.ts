import { permit } from '@campus/engine/rest/declare/access'
import {
  boolean,
  integer,
  reference,
  text,
  textOrEmpty,
  time,
  timestamps,
} from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

const tutor = role('Advanced Tutor')

const hiddenOptional = { nullable: true, hidden: true } as const

export const flashes = resource({
  name: 'flashes',
  singular: 'flash',
  summary: 'A message that is shown on the screen of the users that it is for.',
  fields: {
    id: integer(),
    title: described('what stands above it', text({ max: 255, required: true })),
    content: described('what it says, in HTML', text({ required: true })),
    identifier: described('word by which programs know it', text({ max: 255, required: true })),
    duration: described('how long it is shown, in seconds', integer({ min: 0, unit: 'seconds', required: true })),
    selector: described('CSS selector of what it points at; an empty text for nothing', textOrEmpty({ max: 255 })),
    url: described('address of the page that it is shown on; null for all', text({ max: 2048, ...hiddenOptional })),
    ...timestamps({ hidden: true }),
  },
  index: { defaultSort: ['created_at', '-id'] },
  dependents: { deleted: ['flash_users.flash_id'] },
  actions: permit({ read: tutor, write: tutor }),
})

export const flashUsers = resource({
  name: 'flash_users',
  summary: 'A message on the screen is for a user, who may have seen it.',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    flash_id: reference('flashes', { required: true }),
    seen: described('whether the user has seen it', boolean()),
    end_at: described('from when it is no longer shown; null without an end', time({ nullable: true })),
    user: one('users', 'reference'),
    user_id: reference('users', { hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  index: {
    defaultSort: ['created_at', '-id'],
    customFilters: { end: whenSet('end_at') },
  },
  parents: [under('flashes', { actions: ['index', 'show', 'create'] })],
  actions: permit({ read: tutor, write: tutor }),
})
