import type { AttachmentKind, Element } from '../attachments/elements.ts'
import { orderPdf, withdrawPdf } from '../attachments/pdf-orders.ts'
import { needFiles } from '../attachments/stored-files.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import type { WriteInput } from '../rest/resource.ts'
import { slugOf } from '../rest/slug.ts'
import { checkTranslation } from './attachment-translations.ts'

/** How the wire calls what an attachment holds (wire-facts A22). */
const CLASS_NAMES: Readonly<Record<AttachmentKind, string>> = {
  ...{ code: 'Code', pdf: 'Pdf', link: 'Link', document: 'Document', video: 'Video' },
}

/** Attaches every element to the project, and gives the id of the first; the others have it as attachments_structure_id. */
export async function createAttachments(tx: Handle, { values, caller, now }: WriteInput): Promise<number> {
  const { project_id, language_id = null, base_id, untranslatable } = values
  const kind = values.kind as AttachmentKind
  const elements = JSON.parse(String(values.attachable_attributes)) as Element[]
  refuseFaults(elements, (element) => faultsOfNew(element, kind))
  await needFiles(
    tx,
    elements.flatMap(({ file }) => file?.id ?? []),
  )
  const { slug } = await tx.kysely
    .selectFrom('projects')
    .select('slug')
    .where('id', '=', Number(project_id))
    .executeTakeFirstOrThrow()
  if (base_id != null && elements.length > 1) throw unprocessable({ base_id: ['takes one element: its translation'] })
  const translates_id = await checkTranslation(tx, {
    base_id: base_id as number | null,
    language_id: language_id as number | null,
    project_id: Number(project_id),
  })

  let first: number | undefined
  for (const { name = '', url, file } of elements) {
    const { id } = await tx.kysely
      .insertInto('attachments')
      .values({
        ...{ name, kind, project_id: Number(project_id), language_id: language_id as number | null, translates_id },
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
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    if (kind === 'pdf' && file) await orderPdf(tx, { attachmentId: id, fileId: file.id, now })
    first ??= id
  }
  if (first === undefined) throw unprocessable({ attachable_attributes: ["can't be blank"] })
  if (elements.length > 1) {
    await tx.kysely
      .updateTable('attachments')
      .set({ attachments_structure_id: first })
      .where('id', '=', first)
      .execute()
  }
  return first
}

/** Changes an attachment; a new file takes the place of the former one, and its pages are counted anew. */
export async function updateAttachment(tx: Handle, { id, values, now }: WriteInput): Promise<number> {
  const row = await tx.kysely
    .selectFrom('attachments')
    .select(['kind', 'project_id', 'language_id', 'translates_id', 'base_id', 'file_id', 'url'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const [element = {}, ...more] = JSON.parse(String(values.attachable_attributes ?? '[{}]')) as Element[]
  if (more.length > 0) throw unprocessable({ attachable_attributes: ['takes one element in an update'] })
  const kind = (values.kind ?? element.attachable_type ?? row.kind) as AttachmentKind
  const hasFile = row.file_id !== null && kind === row.kind
  const hadOther = row.url !== null && kind === row.kind
  refuseFaults([element], () => faultsOf(element, kind, hasFile || hadOther))
  const { file } = element
  if (file) await needFiles(tx, [file.id])

  const language_id = (values.language_id === undefined ? row.language_id : values.language_id) as number | null
  const base_id = (values.base_id === undefined ? row.base_id : values.base_id) as number | null
  const translates_id = await checkTranslation(tx, { id, base_id, language_id, project_id: row.project_id })
  const set: Record<string, unknown> = { kind, language_id, translates_id, updated_at: now }
  if (values.untranslatable !== undefined) set.untranslatable = values.untranslatable === true
  if (translates_id !== row.translates_id) set.default = translates_id === null
  if (element.name !== undefined) set.name = element.name
  if (kind !== row.kind) Object.assign(set, { attachable_type: CLASS_NAMES[kind], ...NOTHING_ATTACHED })
  if (kind === 'link' && element.url !== undefined) set.url = element.url
  if (file) {
    const attached = { file_id: file.id, file_name: file.name, pdf_processing: kind === 'pdf', up_to_date: true }
    Object.assign(set, { ...NOTHING_ATTACHED, ...attached })
  }
  await tx.kysely.updateTable('attachments').set(set).where('id', '=', id).execute()
  if (file || kind !== row.kind) await withdrawPdf(tx, id)
  if (kind === 'pdf' && file) await orderPdf(tx, { attachmentId: id, fileId: file.id, now })
  if (file) {
    await tx.kysely.updateTable('attachments').set({ up_to_date: false }).where('translates_id', '=', id).execute()
  }
  return id
}

const NOTHING_ATTACHED = {
  ...{ file_id: null, file_name: null, thumb_id: null, url: null, thumb_url: null },
  ...{ page_count: 0, pdf_processing: false },
}

type Faults = readonly (readonly [member: string, fault: string])[]

function refuseFaults(elements: readonly Element[], faultsOfOne: (element: Element) => Faults): void {
  const errors = elements.flatMap((element, place) =>
    faultsOfOne(element).map(([member, fault]) => [`attachable_attributes[${place}].${member}`, [fault]] as const),
  )
  if (errors.length > 0) throw unprocessable(Object.fromEntries(errors))
}

function faultsOfNew(element: Element, kind: AttachmentKind): Faults {
  const missing = (['name', 'attachable_type'] as const).filter((member) => element[member] === undefined)
  return [...missing.map((member) => [member, "can't be blank"] as const), ...faultsOf(element, kind, false)]
}

/** What does not go together: the kind, the type, and the file or address supplied. */
function faultsOf({ attachable_type, file, url }: Element, kind: AttachmentKind, isThere: boolean): Faults {
  const type = attachable_type ?? kind
  if (type !== kind) return [['attachable_type', `must be the kind of the attachment, ${kind}`]]
  if (file && file.field !== type) return [['attachable_type', `must match the file supplied, ${file.field}`]]
  if (url != null && type !== 'link') return [['url', 'is accepted with a link only']]
  if (type !== 'link' && !file && !isThere) return [[type, "can't be blank: the file is missing"]]
  return []
}

/** A link whose name is its address, as clients without a field for it send. */
const addressIn = (name: string) => (/^https?:\/\/\S+$/i.test(name) && URL.canParse(name) ? name : null)
