import { open, role } from '../rest/declare/access.ts'
import { choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { many, one } from '../rest/declare/fields/embeds.ts'
import { always } from '../rest/declare/fields/group.ts'
import { whenRelated } from '../rest/declare/filters.ts'
import { resource, through, under } from '../rest/declare/resource.ts'

const staff = { access: role('Advanced Staff') }
const tutor = { access: role('Advanced Tutor') }

export const tags = resource({
  name: 'tags',
  singular: 'tag',
  summary: 'A word under which topics and users are found together.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    kind: choice(['project', 'general', 'archived']),
    users: many('users', 'reference', { through: { table: 'tags_users', otherKey: 'user_id' }, foreignKey: 'tag_id' }),
    subnotions: always([]),
    created_at: time({ hidden: true }),
    updated_at: time({ hidden: true }),
    pinner_id: reference('users', { nullable: true, hidden: true }),
    description: text({ nullable: true, hidden: true }),
  },
  representations: { embedded: ['id', 'name', 'kind'] },
  index: {
    sort: ['id', 'name', 'created_at', 'updated_at', 'pinner_id', 'kind', 'description'],
    defaultSort: ['name', '-id'],
  },
  parents: [
    under('users', through('tags_users', 'tag_id', 'user_id')),
    under('cursus', through('tags_cursus', 'tag_id', 'cursus_id')),
  ],
  payload: {
    accepts: ['name', 'kind', 'description', 'pinner_id'],
    requires: ['name'],
    nested: { tags_users_attributes: { resource: 'tags_users', by: 'tag_id' } },
    links: { cursus_ids: { table: 'tags_cursus', foreignKey: 'tag_id', otherKey: 'cursus_id' } },
  },
  dependents: { deleted: ['tags_cursus.tag_id'] },
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})

const OF_CURSUS = { table: 'tags_cursus', foreignKey: 'tag_id', key: 'tag_id', otherKey: 'cursus_id' } as const

export const tagsUsers = resource({
  name: 'tags_users',
  singular: 'tags_user',
  summary: 'A user bears a tag, perhaps at one campus only.',
  fields: {
    id: integer(),
    tag_id: reference('tags'),
    user_id: reference('users'),
    campus_id: reference('campus', { nullable: true }),
    created_at: time(),
    updated_at: time(),
    tag: one('tags', 'embedded', { by: 'tag_id' }),
    user: one('users', 'short', { by: 'user_id' }),
  },
  index: {
    sort: ['id', 'tag_id', 'user_id', 'created_at', 'updated_at', 'campus_id'],
    defaultSort: ['id'],
    scopes: { cursus_id: whenRelated(OF_CURSUS) },
  },
  parents: [
    under('users', 'user_id'),
    under('cursus', OF_CURSUS),
    under('campus', 'campus_id'),
    under('tags', 'tag_id'),
  ],
  payload: { accepts: ['tag_id', 'user_id', 'campus_id'], requires: ['tag_id', 'user_id'] },
  actions: { index: open, show: open, create: tutor, update: tutor, destroy: tutor },
})
