import { either, open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, slug, text, time } from '@campus/engine/rest/declare/fields/columns'
import { alwaysNull } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { createAttachments, updateAttachment } from '../domain/files/attachments.ts'
import { role } from './access.ts'

export const subnotions = resource({
  name: 'subnotions',
  summary: 'A part of a notion, with what there is to watch and to read.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    created_at: time(),
    notepad: alwaysNull,
    attachments: described('what there is to watch and to read', many('subnotion_attachments', 'record')),
    notion: described('notion that it is a part of; null where it stands alone', one('notions', 'embedded')),
    notion_id: described(
      'id of the notion that it is a part of; null where it stands alone',
      reference('notions', { nullable: true, hidden: true }),
    ),
    position: described('place among the parts of its notion', integer({ min: 0, hidden: true })),
    updated_at: time({ hidden: true }),
  },
  representations: { in_notion: ['id', 'name', 'slug', 'created_at', 'notepad'] },
  index: { defaultSort: ['name', '-id'] },
  parents: [under('notions')],
  payload: {
    nested: {
      attachments_attributes: {
        resource: 'attachments',
        actions: { create: createAttachments, update: updateAttachment },
      },
    },
    slugFrom: 'name',
    numbersSlugs: true,
    files: ['code', 'pdf', 'document', 'video'],
  },
  dependents: { deleted: ['attachments.subnotion_id'] },
  actions: permit({ read: open, write: either(role('Advanced Tutor'), role('Video manager')) }),
})
