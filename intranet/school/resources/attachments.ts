import { all, open } from '@campus/engine/rest/declare/access'
import { idKind } from '@campus/engine/rest/declare/fields/bounds'
import { boolean, choice, integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { signedAddress } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { group } from '@campus/engine/rest/declare/fields/group'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { errorsOfPayload } from '../../services/attachments/element-errors.ts'
import { elementsKind, KINDS } from '../../services/attachments/elements.ts'
import { createAttachments, updateAttachment } from '../domain/files/attachments.ts'
import { role, scope } from './access.ts'
import { fileUrl, type MadeOf, type Sign } from './file-url.ts'
import { optionalParameter, requiredParameter } from './parameters.ts'

const hidden = { hidden: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const
const tutor = all(role('Advanced Tutor'), scope('projects'))

const thumbUrl = ([thumb, url = null]: MadeOf, sign: Sign) => (thumb == null ? url : sign(`/files/${thumb}/thumb.png`))

const ofPdf =
  (address: typeof fileUrl): typeof fileUrl =>
  ([type, ...values], sign) =>
    type === 'Pdf' ? address(values, sign) : null

export const address = described(
  'address of the file, which opens without a token for a while, or of the link',
  signedAddress(['file_id', 'file_name', 'url'], fileUrl),
)
export const thumbAddress = described(
  'address of a small picture of it; null where there is none',
  signedAddress(['thumb_id', 'thumb_url'], thumbUrl),
)
export const pdfAddresses = described(
  'addresses of the PDF; null in them for other sorts',
  group({
    pdf: group({
      url: signedAddress(['attachable_type', 'file_id', 'file_name', 'url'], ofPdf(fileUrl)),
      thumb: group({ url: signedAddress(['attachable_type', 'thumb_id', 'thumb_url'], ofPdf(thumbUrl)) }),
    }),
  }),
)

export const attachments = resource({
  name: 'attachments',
  summary: 'A document of a project, of a session of one or of a subnotion, each translation a record of its own.',
  retainedTexts: 'what they handed in or gave out',
  unmirrored: 'their files open for a while only',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    pdf: pdfAddresses,
    page_count: described('number of pages of a PDF, else 0', integer()),
    created_at: time(),
    pdf_processing: described('whether the PDF is still being read', boolean()),
    slug: described('its name, made fit for addresses', text({ max: 255 })),
    url: address,
    thumb_url: thumbAddress,
    base_id: described('id of the attachment that it translates; its own where it translates none', integer()),
    language: described('language that it is in; null where none is named', one('languages', 'short')),
    type: described('sort of attachment, as the name of a class: `Pdf`, `Link`', text({ column: 'attachable_type' })),
    kind: described('sort of attachment, as payloads name it', choice(KINDS, { ...hidden, required: true })),
    attachable_id: described('id of what is behind it; null where that has none', integer(hiddenOptional)),
    attachable_type: described('what is behind it, as the name of a class: `Pdf`, `Link`', text(hidden)),
    updated_at: time(hidden),
    language_id: described(
      'id of the language that it is in; null where none is named',
      reference('languages', hiddenOptional),
    ),
    user_id: described('id of the user who attached it; null where a program did', reference('users', hiddenOptional)),
    default: described('whether it is shown where no translation fits', boolean(hidden)),
    up_to_date: described('whether it is as new as what it translates', boolean(hidden)),
    container_id: described('id of the project, session or subnotion that it belongs to', integer(hiddenOptional)),
    container_type: described(
      'whether it belongs to a `Project`, a `ProjectSession` or a `Subnotion`',
      text(hiddenOptional),
    ),
    untranslatable: described('whether it may have no translations', boolean(hiddenOptional)),
    attachments_structure_id: described(
      'id of the first of those that were attached together',
      integer(hiddenOptional),
    ),
    project_id: described(
      'id of the project that it belongs to; null where it is of a session or subnotion',
      reference('projects', hiddenOptional),
    ),
    project_session_id: described(
      'id of the session that it belongs to; null where it is of a project or subnotion',
      reference('project_sessions', hiddenOptional),
    ),
    subnotion_id: described(
      'id of the subnotion that it belongs to; null where it is of a project or session',
      reference('subnotions', hiddenOptional),
    ),
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
    sort: {
      except: [
        'name',
        'page_count',
        'pdf_processing',
        'slug',
        'type',
        'project_id',
        'project_session_id',
        'subnotion_id',
      ],
    },
    defaultSort: ['id'],
  },
  parents: [
    under('projects', { actions: ['index', 'create'] }),
    under('project_sessions', { actions: ['index', 'show', 'create'] }),
  ],
  payload: {
    accepts: ['kind', 'language_id', 'untranslatable'],
    extra: {
      attachable_attributes: requiredParameter('files or links to attach, each with a name', elementsKind),
      base_id: optionalParameter('id of the attachment that the new one translates', idKind),
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
