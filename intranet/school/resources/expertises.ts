import { all, either, open, own, permit } from '@campus/engine/rest/declare/access'
import { boolean, choice, integer, reference, slug, text, time } from '@campus/engine/rest/declare/fields/columns'
import { url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role, scope } from './access.ts'

export const expertises = resource({
  name: 'expertises',
  summary: 'A language, a framework or another craft that users may know.',
  identifiedBy: 'slug',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    url: url('/v2/expertises/:slug'),
    kind: described('what sort of craft it is', choice(['languages', 'frameworks', 'databases', 'admin_sys', 'other'])),
    created_at: time(),
    expertises_users_url: described(
      'address of the list of users who know it',
      url('/v2/expertises/:slug/expertises_users'),
    ),
    updated_at: time({ hidden: true }),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  payload: { slugFrom: 'name' },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})

export const expertisesUsers = resource({
  name: 'expertises_users',
  summary: 'How well a user knows an expertise, and whether others may ask them about it.',
  large: true,
  fields: {
    id: integer(),
    expertise_id: reference('expertises', { required: true }),
    interested: described('whether the user would like to learn more', boolean()),
    value: described(
      'how well the user knows it, by their own judgement',
      integer({ min: 0, max: 100, required: true }),
    ),
    contact_me: described('whether others may ask the user about it', boolean()),
    created_at: time(),
    user_id: reference('users', { required: true }),
    expertise: one('expertises', 'record'),
    user: one('users', 'short'),
    updated_at: time({ hidden: true }),
  },
  representations: { embedded: ['id', 'expertise_id', 'interested', 'value', 'contact_me', 'created_at', 'user_id'] },
  parents: [under('expertises', { actions: ['index', 'create'] }), under('users', { actions: ['index', 'create'] })],
  actions: permit({ read: open, write: either(role('Advanced Tutor'), all(scope('profile'), own('user_id'))) }),
})
