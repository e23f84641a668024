import { open } from '../rest/access.ts'
import { boolean, choice, integer, reference, text, time } from '../rest/fields/columns.ts'
import { one } from '../rest/fields/embeds.ts'
import { group } from '../rest/fields/group.ts'
import { resource, under } from '../rest/resource.ts'

const optional = { nullable: true } as const
const hidden = { hidden: true } as const
const kept = { nullable: true, hidden: true } as const

export const attachments = resource({
  name: 'attachments',
  singular: 'attachment',
  summary: 'A document that belongs to a project or to a session of one, each translation a record of its own.',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    pdf: group({
      pdf: group({
        url: text({ column: 'pdf_url', ...optional }),
        thumb: group({ url: text({ column: 'pdf_thumb_url', ...optional }) }),
      }),
    }),
    page_count: integer(),
    created_at: time(),
    pdf_processing: boolean(),
    slug: text({ max: 255 }),
    url: text(optional),
    thumb_url: text(optional),
    base_id: integer(),
    language: one('languages', 'short', { by: 'language_id', nullable: true }),
    type: text({ column: 'attachable_type' }),
    kind: choice(['code', 'pdf', 'link', 'document', 'video'], hidden),
    attachable_id: integer(kept),
    attachable_type: text(hidden),
    updated_at: time(hidden),
    language_id: reference('languages', kept),
    user_id: reference('users', kept),
    default: boolean(hidden),
    up_to_date: boolean(hidden),
    container_id: integer(kept),
    container_type: text(kept),
    untranslatable: boolean(hidden),
    attachments_structure_id: integer(kept),
    project_id: reference('projects', kept),
    project_session_id: reference('project_sessions', kept),
  },
  forms: {
    embedded: [
      ...(['id', 'name', 'base_id', 'created_at', 'kind', 'type', 'language', 'page_count', 'pdf'] as const),
      ...(['pdf_processing', 'slug', 'thumb_url', 'url'] as const),
    ],
  },
  index: {
    sort: [
      ...(['id', 'attachable_id', 'attachable_type', 'kind', 'created_at', 'updated_at', 'language_id'] as const),
      ...(['user_id', 'default', 'up_to_date', 'container_id', 'container_type', 'base_id'] as const),
      ...(['untranslatable', 'attachments_structure_id'] as const),
    ],
    defaultSort: ['id'],
  },
  parents: [
    under('projects', 'project_id'),
    under('project_sessions', 'project_session_id', { actions: ['index', 'show'] }),
  ],
  actions: { index: open, show: open },
})
