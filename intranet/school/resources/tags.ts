import { open, permit } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import { choice, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

export const tags = resource({
  name: 'tags',
  summary: 'A word under which topics and users are found together.',
  retainedTexts: 'names of tags',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    kind: described('what it is used for', choice(['project', 'general', 'archived'])),
    users: described('users who bear it', many('users', 'reference', { through: joins.tagsUsers })),
    subnotions: described(
      'parts of the notions that bear it',
      many('subnotions', 'in_notion', { through: joins.tagsOfNotion }),
    ),
    ...timestamps({ hidden: true }),
    pinner_id: described(
      'id of the user who pinned it; null while it is not pinned',
      reference('users', { nullable: true, hidden: true }),
    ),
    description: described('what belongs under it', text({ nullable: true, hidden: true })),
  },
  representations: { embedded: ['id', 'name', 'kind'] },
  index: { defaultSort: ['name', '-id'] },
  parents: [under('users', { through: joins.tagsUsers }), under('cursus', { through: joins.tagsCursus })],
  payload: {
    nested: { tags_users_attributes: { resource: 'tags_users' } },
    links: { cursus_ids: joins.tagsCursus },
  },
  dependents: { deleted: ['tags_cursus.tag_id'], released: ['broadcasts.tag_id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})

const ofCursus = through(joins.tagsCursus, 'cursus', { by: 'tag_id' })

export const tagsUsers = resource({
  name: 'tags_users',
  summary: 'A user bears a tag, perhaps at one campus only.',
  large: true,
  fields: {
    id: integer(),
    tag_id: reference('tags', { required: true }),
    user_id: reference('users', { required: true }),
    campus_id: described(
      'id of the campus where it counts; null for every campus',
      reference('campus', { nullable: true }),
    ),
    ...timestamps(),
    tag: one('tags', 'embedded'),
    user: one('users', 'short'),
  },
  index: {
    defaultSort: ['id'],
    customFilters: { cursus_id: described('whose tag belongs to one of these cursus', whenRelated(ofCursus)) },
  },
  parents: [under('users'), under('cursus', { by: ofCursus }), under('campus'), under('tags')],
  actions: permit({ read: open, write: role('Advanced Tutor') }),
})
