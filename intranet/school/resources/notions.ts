import { either, open, permit } from '@campus/engine/rest/declare/access'
import { integer, slug, text, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const ofTags = { through: joins.notionsTags }
const ofCursus = { through: joins.notionsCursus }

export const notions = resource({
  name: 'notions',
  summary: 'A subject of the course material, in parts.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    created_at: time(),
    subnotions: described('its parts, in their order', many('subnotions', 'in_notion', { order: 'position' })),
    tags: described('words under which it is found', many('tags', 'embedded', ofTags)),
    cursus: described('courses that it is taught in', many('cursus', 'embedded', ofCursus)),
    updated_at: time({ hidden: true }),
  },
  representations: { embedded: ['id', 'name', 'slug', 'created_at'] },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [under('cursus', ofCursus), under('tags', ofTags)],
  payload: {
    nested: { subnotions_attributes: { resource: 'subnotions' } },
    links: { tag_ids: joins.notionsTags, cursus_ids: joins.notionsCursus },
    slugFrom: 'name',
    numbersSlugs: true,
    files: ['code', 'pdf', 'document', 'video'],
  },
  dependents: { deleted: ['subnotions.notion_id', 'notions_tags.notion_id', 'notions_cursus.notion_id'] },
  actions: permit({ read: open, write: either(role('Advanced Tutor'), role('Video manager')) }),
})
