import { open, role } from '../rest/declare/access.ts'
import { described } from '../rest/declare/described.ts'
import { integer, reference, slug, text, time } from '../rest/declare/fields/columns.ts'
import { resource, under } from '../rest/declare/resource.ts'
import * as joins from './join-tables.ts'

const staff = { access: role('Advanced Staff') }

const optional = { nullable: true } as const

export const coalitions = resource({
  name: 'coalitions',
  singular: 'coalition',
  summary: 'One of the houses of a campus, which gather points against each other.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    slug: slug(),
    image_url: described('address of its coat of arms', text({ max: 2048, ...optional })),
    cover_url: described('address of its background picture', text({ max: 2048, ...optional })),
    color: described(
      'its colour, as `#a1b2c3`',
      text({ pattern: [/^#[0-9a-f]{6}$/i, 'must look like #a1b2c3'], ...optional }),
    ),
    score: described('points that it has gathered', integer()),
    user_id: described('id of the user who leads it; null where nobody does', reference('users', optional)),
    created_at: time({ hidden: true }),
    updated_at: time({ hidden: true }),
  },
  index: {
    sort: ['id', 'name', 'slug', 'image_url', 'cover_url', 'color', 'score', 'user_id', 'created_at', 'updated_at'],
    defaultSort: ['-id'],
  },
  parents: [under('users', { through: joins.coalitionsUsers })],
  payload: {
    accepts: ['name', 'slug', 'image_url', 'cover_url', 'color', 'score', 'user_id'],
    requires: ['name'],
    slugFrom: 'name',
  },
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})

export const coalitionsUsers = resource({
  name: 'coalitions_users',
  singular: 'coalitions_user',
  summary: 'A user belongs to a coalition, with the points that they brought it.',
  fields: {
    id: integer(),
    coalition_id: reference('coalitions'),
    user_id: reference('users'),
    score: described('points that the user brought it', integer()),
    created_at: time(),
    updated_at: time(),
  },
  index: { sort: ['id', 'coalition_id', 'user_id', 'score', 'created_at', 'updated_at'], defaultSort: ['-id'] },
  parents: [under('coalitions', { actions: ['index', 'create'] }), under('users', { actions: ['index', 'create'] })],
  payload: { accepts: ['coalition_id', 'user_id', 'score'], requires: ['coalition_id', 'user_id'] },
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})
