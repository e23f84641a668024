import { type ActionInput, chosenId } from '@campus/engine/actions'
import { slugOf } from '@campus/engine/base/text/slugs'
import type { Handle } from '@campus/engine/database/database'
import { rowEquals } from '@campus/engine/database/row-equals'
import { refuseIfAny, unprocessable } from '@campus/engine/errors'
import { elementsOf, errorsOfChange } from '../../../services/attachments/element-errors.ts'
import { type AttachmentKind, kindNamed } from '../../../services/attachments/elements.ts'
import { cancelPdf, queuePdf } from '../../../services/attachments/pdf-jobs.ts'
import { needFiles } from '../../../services/attachments/stored-files.ts'
import { insertRow, updateRow } from '../rows.ts'
import { type Container, checkTranslation } from './attachment-translations.ts'

/** Class names of attachments on the wire (spec: files 1). */
const CLASS_NAMES: Readonly<Record<AttachmentKind, string>> = {
  code: 'Code',
  pdf: 'Pdf',
  link: 'Link',
  document: 'Document',
  video: 'Video',
}

type AttachmentValues = {
  readonly kind?: AttachmentKind
  readonly project_id?: number | null
  readonly project_session_id?: number | null
  readonly subnotion_id?: number | null
  readonly language_id?: number | null
  readonly base_id?: number | null
  readonly untranslatable?: boolean | null
  readonly attachable_attributes?: string
}

/** Creates an attachment for each element. Returns the id of the first, the `attachments_structure_id` of all. */
export async function createAttachments(
  tx: Handle,
  { values, caller, now }: ActionInput<AttachmentValues & Required<Pick<AttachmentValues, 'kind'>>>,
): Promise<number> {
  const { kind, language_id = null, base_id = null, untranslatable } = values
  const elements = elementsOf(values.attachable_attributes)
  await needFiles(
    tx,
    elements.flatMap(({ file }) => file?.id ?? []),
  )
  const container: Container = {
    project_id: values.project_id ?? null,
    project_session_id: values.project_session_id ?? null,
    subnotion_id: values.subnotion_id ?? null,
  }
  // An attachment of a subnotion needs a language (spec: school 14).
  if (container.subnotion_id !== null && language_id === null) throw unprocessable({ language_id: ["can't be blank"] })
  const slug = await slugOfContainer(tx, container)
  const translates_id = await checkTranslation(tx, {
    base_id,
    language_id,
    ...container,
  })

  // A chosen id is that of the first element.
  let first: number | undefined
  for (const { name = '', url, file } of elements) {
    const id = await insertRow(tx, 'attachments', {
      ...(first === undefined && chosenId(values)),
      name,
      kind,
      ...container,
      language_id,
      translates_id,
      slug: `${slug}-${slugOf(name)}`,
      attachable_type: CLASS_NAMES[kind],
      attachments_structure_id: first ?? null,
      user_id: caller.resourceOwnerId,
      url: kind === 'link' ? (url ?? addressIn(name)) : null,
      file_id: file?.id ?? null,
      file_name: file?.name ?? null,
      pdf_processing: kind === 'pdf',
      default: translates_id === null,
      untranslatable: untranslatable === true,
      created_at: now,
      updated_at: now,
    })
    if (kind === 'pdf' && file) await queuePdf(tx, { attachmentId: id, fileId: file.id, caller, now })
    first ??= id
  }
  if (first === undefined) throw unprocessable({ attachable_attributes: ["can't be blank"] })
  if (elements.length > 1) {
    await updateRow(tx, 'attachments', first, { attachments_structure_id: first })
  }
  return first
}

/** Changes an attachment. A new file replaces the old one. */
export async function updateAttachment(
  tx: Handle,
  { id, values, caller, now }: ActionInput<AttachmentValues>,
): Promise<number> {
  const row = await tx.kysely
    .selectFrom('attachments')
    .select(['kind', 'project_id', 'project_session_id', 'subnotion_id', 'language_id', 'translates_id', 'base_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const [element = {}] = elementsOf(values.attachable_attributes)
  const kind = kindNamed(values.kind ?? element.attachable_type ?? row.kind)
  refuseIfAny(errorsOfChange(element, kind, kind === row.kind))
  const { file } = element
  if (file) await needFiles(tx, [file.id])

  const language_id = values.language_id === undefined ? row.language_id : values.language_id
  const base_id = values.base_id === undefined ? row.base_id : values.base_id
  const { project_id, project_session_id, subnotion_id } = row
  if (subnotion_id !== null && language_id === null) throw unprocessable({ language_id: ["can't be blank"] })
  const container: Container = { project_id, project_session_id, subnotion_id }
  const translates_id = await checkTranslation(tx, { id, base_id, language_id, ...container })
  const set: Record<string, unknown> = { kind, language_id, translates_id }
  if (values.untranslatable !== undefined) set.untranslatable = values.untranslatable === true
  if (translates_id !== row.translates_id) set.default = translates_id === null
  if (element.name !== undefined) set.name = element.name
  if (kind !== row.kind) Object.assign(set, { attachable_type: CLASS_NAMES[kind], ...NOTHING_ATTACHED })
  if (kind === 'link' && element.url !== undefined) set.url = element.url
  if (file) {
    const attached = { file_id: file.id, file_name: file.name, pdf_processing: kind === 'pdf', up_to_date: true }
    Object.assign(set, { ...NOTHING_ATTACHED, ...attached })
  }
  if (await rowEquals(tx, 'attachments', id, set)) return id
  await updateRow(tx, 'attachments', id, { ...set, updated_at: now })
  if (file || kind !== row.kind) await cancelPdf(tx, id)
  if (kind === 'pdf' && file) await queuePdf(tx, { attachmentId: id, fileId: file.id, caller, now })
  if (file) {
    await tx.kysely
      .updateTable('attachments')
      .set({ up_to_date: false, updated_at: now })
      .where('translates_id', '=', id)
      .execute()
  }
  return id
}

async function slugOfContainer(
  tx: Handle,
  { project_id, project_session_id, subnotion_id }: Container,
): Promise<string> {
  const projects = tx.kysely.selectFrom('projects').select('slug')
  const { slug } = await (subnotion_id !== null
    ? tx.kysely.selectFrom('subnotions').select('slug').where('id', '=', subnotion_id)
    : project_id === null
      ? projects.where('id', '=', (one) =>
          one.selectFrom('project_sessions').select('project_id').where('id', '=', project_session_id),
        )
      : projects.where('id', '=', project_id)
  ).executeTakeFirstOrThrow()
  return slug
}

const NOTHING_ATTACHED = {
  file_id: null,
  file_name: null,
  thumb_id: null,
  url: null,
  thumb_url: null,
  page_count: 0,
  duration: 0,
  pdf_processing: false,
}

/** Accepts an address as the name, since some clients have no field for it. */
const addressIn = (name: string) => (/^https?:\/\/\S+$/i.test(name) && URL.canParse(name) ? name : null)
