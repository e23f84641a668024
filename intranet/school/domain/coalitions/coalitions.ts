import type { ActionInput } from '@campus/engine/actions'
import { slugOf } from '@campus/engine/base/text/slugs'
import type { Handle } from '@campus/engine/database/database'
import { rowEquals } from '@campus/engine/database/row-equals'
import { unprocessable } from '@campus/engine/errors'
import { type Picture, pictureOf } from '../../../services/attachments/pictures.ts'
import { needFiles } from '../../../services/attachments/stored-files.ts'
import { insertRow, readRow, updateRow } from '../rows.ts'

type CoalitionValues = {
  readonly bloc_id?: number
  readonly user_id?: number | null
  readonly name?: string
  readonly slug?: string
  readonly color?: string
  readonly score?: number
  readonly image?: string | null
  readonly image_url?: string | null
  readonly cover?: string | null
  readonly cover_url?: string | null
}
type NewCoalition = CoalitionValues & Required<Pick<CoalitionValues, 'bloc_id' | 'name' | 'color'>>

type Files = { readonly image_file_id: number | null; readonly cover_file_id: number | null }
const NO_FILES: Files = { image_file_id: null, cover_file_id: null }

/** Creates a coalition. Its slug follows from the name, with a number if the slug is taken. */
export async function createCoalition(tx: Handle, { values, now }: ActionInput<NewCoalition>): Promise<number> {
  const { name, bloc_id, color } = values
  const slug = values.slug ?? (await freeSlug(tx, name))
  const columns = { ...(await columnsOf(tx, values, NO_FILES)), name, bloc_id, color, slug }
  return insertRow(tx, 'coalitions', { ...columns, created_at: now, updated_at: now })
}

export async function updateCoalition(tx: Handle, { id, values, now }: ActionInput<CoalitionValues>): Promise<number> {
  const files = await readRow(tx, 'coalitions', id, ['image_file_id', 'cover_file_id'])
  const columns = await columnsOf(tx, values, files)
  if (await rowEquals(tx, 'coalitions', id, columns)) return id
  await updateRow(tx, 'coalitions', id, { ...columns, updated_at: now })
  return id
}

/** Throws 422 unless the winner of a season is a coalition of the bloc. */
export async function requireOwnWinner(tx: Handle, id: number): Promise<void> {
  const stranger = await tx.kysely
    .selectFrom('bloc_deadlines as season')
    .innerJoin('coalitions as winner', 'winner.id', 'season.coalition_id')
    .select('winner.id')
    .where('season.id', '=', id)
    .whereRef('winner.bloc_id', 'is distinct from', 'season.bloc_id')
    .executeTakeFirst()
  if (stranger) throw unprocessable({ coalition_id: ['must be a coalition of the bloc'] })
}

async function columnsOf(tx: Handle, values: CoalitionValues, files: Files) {
  const { image, cover, image_url, cover_url, ...columns } = values
  const pictures = {
    ...pictureColumns('image', { file: image, address: image_url, fileId: files.image_file_id }),
    ...pictureColumns('cover', { file: cover, address: cover_url, fileId: files.cover_file_id }),
  }
  await needFiles(
    tx,
    [pictures.image_file_id, pictures.cover_file_id].filter((file) => file != null),
  )
  return { ...columns, ...pictures }
}

type PictureValues = {
  readonly file: string | null | undefined
  readonly address: string | null | undefined
  readonly fileId: number | null
}

type PictureColumns = { readonly [K in `${'image' | 'cover'}_file_id`]?: number | null } & {
  readonly [K in `${'image' | 'cover'}_${'file_name' | 'url'}`]?: string | null
}

function pictureColumns(name: 'image' | 'cover', sent: PictureValues): PictureColumns {
  const { file, address, fileId } = sent
  if (file !== undefined) return columnsFor(name, pictureOf(file), null)
  if (address === undefined || isAddressOf(fileId, address)) return {}
  return columnsFor(name, null, address)
}

const columnsFor = (name: 'image' | 'cover', file: Picture | null, url: string | null): PictureColumns => {
  const [id, fileName] = [file?.id ?? null, file?.name ?? null]
  return name === 'image'
    ? { image_file_id: id, image_file_name: fileName, image_url: url }
    : { cover_file_id: id, cover_file_name: fileName, cover_url: url }
}

/** Reports whether an address is the signed address of the file, which a client sends back with the record. */
function isAddressOf(fileId: number | null, address: string | null): boolean {
  const url = address === null ? null : URL.parse(address)
  if (fileId === null || !url) return false
  return url.pathname.startsWith(`/files/${fileId}/`) && url.searchParams.has('signature')
}

async function freeSlug(tx: Handle, name: string): Promise<string> {
  const slug = slugOf(name)
  const taken = await tx.kysely
    .selectFrom('coalitions')
    .select('slug')
    .where((where) => where.or([where('slug', '=', slug), where('slug', 'like', `${slug}-%`)]))
    .execute()
  const slugs = new Set(taken.map((row) => row.slug))
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`
    if (!slugs.has(candidate)) return candidate
  }
}
