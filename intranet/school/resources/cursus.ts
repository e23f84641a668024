import { open, permit } from '@campus/engine/rest/declare/access'
import { boolean, choice, integer, slug, text, time } from '@campus/engine/rest/declare/fields/columns'
import { countOf, url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const KINDS = [
  ...['main', 'main_deprecated', 'piscine', 'piscine_deprecated', 'piscine_community', 'test'],
  ...['external', 'external_deprecated', 'professional_training', 'professional_training_deprecated'],
]

export const cursus = resource({
  name: 'cursus',
  singular: 'cursus',
  summary: 'A course of study that users take part in, each with a level of their own.',
  identifiedBy: 'slug',
  cachedInMemory: true,
  fields: {
    id: integer(),
    created_at: time(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    kind: described('what sort of course it is, such as `piscine`', choice(KINDS)),
    users_count: described('number of users who take or took part in it', countOf(joins.cursusUsers)),
    users_url: described('address of the list of its users', url('/v2/cursus/:id/users')),
    projects_url: described('address of the list of its projects', url('/v2/cursus/:id/projects')),
    topics_url: described('address of the list of its topics', url('/v2/cursus/:id/topics')),
    updated_at: time({ hidden: true }),
    restricted: described('whether it is for some users only', boolean({ hidden: true })),
    is_subscriptable: described('whether users may enter it', boolean({ hidden: true })),
  },
  representations: { embedded: ['id', 'created_at', 'name', 'slug', 'kind'] },
  payload: {
    links: { skill_ids: joins.cursusSkills },
    slugFrom: 'name',
  },
  dependents: { deleted: ['cursus_skills.cursus_id', 'levels.cursus_id'], released: ['journals.cursus_id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})
