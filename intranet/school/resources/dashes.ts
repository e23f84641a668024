import { message } from '@campus/engine/base/languages/say'
import { open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, slug, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const staff = role('Advanced Staff')

const optional = { nullable: true } as const

export const dashes = resource({
  name: 'dashes',
  singular: 'dash',
  summary: 'A contest of a few hours or days that gives experience in a skill.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what is to be done', text(optional)),
    slug: slug(),
    cursus_id: reference('cursus', optional),
    campus_id: reference('campus', optional),
    skill_id: described('id of the skill that it gives experience in', reference('skills', optional)),
    nbr_xp: described('experience that it gives, as text', text({ max: 255, ...optional })),
    begin_at: described('when it begins; null while that is open', time(optional)),
    end_at: described('when it ends; null while that is open', time(optional)),
    ...timestamps({ hidden: true }),
  },
  index: { defaultSort: ['-begin_at', '-id'] },
  parents: [under('cursus'), under('campus'), under('users', { through: joins.dashesUsers })],
  payload: {
    slugFrom: 'name',
    checks: { dashes_end_at_check: ['end_at', message('must not be before {field}', { field: 'begin_at' })] },
  },
  actions: permit({ read: open, write: staff }),
})

export const dashesUsers = resource({
  name: 'dashes_users',
  summary: 'A user takes part in a dash.',
  large: true,
  fields: {
    id: integer(),
    dash_id: reference('dashes', { required: true }),
    user_id: reference('users', { required: true }),
    ...timestamps(),
  },
  parents: [under('dashes', { actions: ['index', 'create'] }), under('users', { actions: ['index', 'create'] })],
  actions: permit({ read: open, write: staff }),
})
