import { open, permit } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { float, integer, reference, slug, text, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { borrowed } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

export const skills = resource({
  name: 'skills',
  summary: 'Something that projects teach and users grow in, level by level.',
  cachedInMemory: true,
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    slug: slug(),
    name: text({ max: 255, required: true }),
    created_at: time(),
    updated_at: time({ hidden: true }),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [under('cursus', { through: joins.cursusSkills })],
  payload: { slugFrom: 'name' },
  dependents: { released: ['dashes.skill_id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})

/** Level of a user in a skill of a cursus. Embedded in the cursus_user under the id of the skill. */
export const cursusUsersSkills = resource({
  name: 'cursus_users_skills',
  summary: 'The level of a user in one skill of a cursus.',
  fields: {
    id: described('id of the skill', integer({ min: 1, column: 'skill_id', required: true })),
    name: described('what the skill is called', borrowed('skills', 'skill_id', text({ column: 'name' }))),
    level: described('level of the user in the skill, from 0', float({ min: 0, max: 1000, required: true })),
    cursus_user_id: described(
      'id of the part in the cursus that the level belongs to',
      reference('cursus_users', { hidden: true, required: true }),
    ),
  },
  payload: { accepts: ['id', 'level', 'cursus_user_id'] },
  actions: embeddedOnly,
})
