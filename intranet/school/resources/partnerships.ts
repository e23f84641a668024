import { all, open, permit } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { float, integer, reference, slug, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenColumn } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'
import { mark } from './numbers.ts'

const tutor = all(scope('projects'), role('Advanced Tutor'))

export const partnerships = resource({
  name: 'partnerships',
  summary: 'Pedagogic work with a partner outside the school.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    difficulty: described(
      'how hard it is; a larger number is harder',
      integer({ min: 0, nullable: true, required: true }),
    ),
    url: url('/v2/partnerships/:slug'),
    partnerships_users_url: described(
      'address of the list of users who work on it',
      url('/v2/partnerships/:slug/partnerships_users'),
    ),
    partnerships_skills: described('what it teaches, and how much of it', many('partnerships_skills', 'record')),
    description: described(
      'what is to be done, in a few words',
      text({ nullable: true, hidden: true, required: true }),
    ),
    file: described('address of a document about it', text({ nullable: true, hidden: true })),
    cursus_id: reference('cursus', { nullable: true, hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  index: {
    defaultSort: ['-created_at', '-id'],
    // Name of the difficulty in 2017 (spec: projects 26).
    customFilters: { tier: whenColumn('difficulty', integer()) },
  },
  payload: {
    nested: { partnerships_skills_attributes: { resource: 'partnerships_skills' } },
    links: { user_ids: joins.partnershipsUsers },
    slugFrom: 'name',
  },
  dependents: { deleted: ['partnerships_skills.partnership_id'] },
  actions: permit({ read: open, write: tutor }),
})

export const partnershipsSkills = resource({
  name: 'partnerships_skills',
  summary: 'What a partnership teaches, and how much of it.',
  fields: {
    id: integer(),
    partnership_id: reference('partnerships', { required: true }),
    skill_id: reference('skills', { required: true }),
    value: described('share of the experience that goes into the skill', float({ min: 0, max: 1_000_000 })),
    ...timestamps(),
  },
  payload: {},
  actions: embeddedOnly,
})

export const partnershipsUsers = resource({
  name: 'partnerships_users',
  summary: 'A user works on a partnership.',
  large: true,
  fields: {
    id: integer(),
    partnership_id: reference('partnerships', { required: true }),
    final_mark: described(
      'mark of the work, 100 for all that was asked; null until it is marked',
      mark({ nullable: true }),
    ),
    user: one('users', 'short'),
    user_id: reference('users', { hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  representations: { in_experience: ['id', 'partnership_id'] },
  parents: [under('partnerships', { actions: ['index', 'create'] }), under('users', { actions: ['index'] })],
  actions: permit({ read: open, write: tutor }),
})
