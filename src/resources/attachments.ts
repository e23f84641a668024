import { errorsOfPayload } from '../attachments/element-errors.ts'
import { elementsKind, KINDS } from '../attachments/elements.ts'
import { createAttachments, updateAttachment } from '../domain/attachments.ts'
import { all, open, role, scope } from '../rest/declare/access.ts'
import { idKind } from '../rest/declare/fields/bounds.ts'
import { boolean, choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { made } from '../rest/declare/fields/computed.ts'
import { one } from '../rest/declare/fields/embeds.ts'
import { group } from '../rest/declare/fields/group.ts'
import type { WireContext } from '../rest/declare/fields/kinds.ts'
import { resource, under } from '../rest/declare/resource.ts'

const hidden = { hidden: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const
const tutor = all(role('Advanced Tutor'), scope('projects'))

type Values = readonly (string | null)[]

/** The file's address, which opens without a token for a while; where there is no file, the address that was given. */
const fileUrl = ([file, name, url = null]: Values, wire: WireContext) =>
  file == null ? url : wire.signed(`/files/${file}/${encodeURIComponent(name ?? 'file')}`)

const thumbUrl = ([thumb, url = null]: Values, wire: WireContext) =>
  thumb == null ? url : wire.signed(`/files/${thumb}/thumb.png`)

const ofPdf =
  (address: typeof fileUrl): typeof fileUrl =>
  ([type, ...values], wire) =>
    type === 'Pdf' ? address(values, wire) : null

export const attachments = resource({
  name: 'attachments',
  singular: 'attachment',
  summary: 'A document that belongs to a project or to a session of one, each translation a record of its own.',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    pdf: group({
      pdf: group({
        url: made(['attachable_type', 'file_id', 'file_name', 'url'], ofPdf(fileUrl)),
        thumb: group({ url: made(['attachable_type', 'thumb_id', 'thumb_url'], ofPdf(thumbUrl)) }),
      }),
    }),
    page_count: integer(),
    created_at: time(),
    pdf_processing: boolean(),
    slug: text({ max: 255 }),
    url: made(['file_id', 'file_name', 'url'], fileUrl),
    thumb_url: made(['thumb_id', 'thumb_url'], thumbUrl),
    base_id: integer(),
    language: one('languages', 'short'),
    type: text({ column: 'attachable_type' }),
    kind: choice(KINDS, hidden),
    attachable_id: integer(hiddenOptional),
    attachable_type: text(hidden),
    updated_at: time(hidden),
    language_id: reference('languages', hiddenOptional),
    user_id: reference('users', hiddenOptional),
    default: boolean(hidden),
    up_to_date: boolean(hidden),
    container_id: integer(hiddenOptional),
    container_type: text(hiddenOptional),
    untranslatable: boolean(hiddenOptional),
    attachments_structure_id: integer(hiddenOptional),
    project_id: reference('projects', hiddenOptional),
    project_session_id: reference('project_sessions', hiddenOptional),
  },
  representations: {
    embedded: [
      'id',
      'name',
      'base_id',
      'created_at',
      'kind',
      'type',
      'language',
      'page_count',
      'pdf',
      'pdf_processing',
      'slug',
      'thumb_url',
      'url',
    ],
  },
  index: {
    sort: [
      'id',
      'attachable_id',
      'attachable_type',
      'kind',
      'created_at',
      'updated_at',
      'language_id',
      'user_id',
      'default',
      'up_to_date',
      'container_id',
      'container_type',
      'base_id',
      'untranslatable',
      'attachments_structure_id',
    ],
    defaultSort: ['id'],
  },
  parents: [
    under('projects', { actions: ['index', 'create'] }),
    under('project_sessions', { actions: ['index', 'show', 'create'] }),
  ],
  payload: {
    accepts: ['kind', 'language_id', 'untranslatable'],
    requires: ['kind'],
    extra: {
      attachable_attributes: { kind: elementsKind, nullable: false, required: true },
      base_id: { kind: idKind, nullable: true },
    },
    files: ['code', 'pdf', 'document', 'video'],
    nullable: true,
    together: errorsOfPayload,
  },
  dependents: { deleted: ['attachments.translates_id', 'pdf_jobs.attachment_id'] },
  actions: {
    index: open,
    show: open,
    create: { access: tutor, onlyBelow: true, perform: createAttachments },
    update: { access: tutor, perform: updateAttachment },
    destroy: { access: tutor },
  },
})
