import type { ActionInput } from '@campus/engine/actions'
import { slugOf } from '@campus/engine/base/text/slugs'
import type { Handle } from '@campus/engine/database/database'
import { rowEquals } from '@campus/engine/database/row-equals'
import { unprocessable } from '@campus/engine/errors'
import { type Picture, pictureOf } from '../../../services/attachments/pictures.ts'
import { needFiles } from '../../../services/attachments/stored-files.ts'

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

/** The files that a coalition has so far. */
type Files = { readonly image_file_id: number | null; readonly cover_file_id: number | null }
const NO_FILES: Files = { image_file_id: null, cover_file_id: null }

/** Founds a coalition. Its slug is its name's, with a number where another bloc has one of that name. */
export async function createCoalition(tx: Handle, { values, now }: ActionInput<NewCoalition>): Promise<number> {
  const { name, bloc_id, color } = values
  const slug = values.slug ?? (await freeSlug(tx, name))
  const columns = { ...(await columnsOf(tx, values, NO_FILES)), name, bloc_id, color, slug }
  const { id } = await tx.kysely
    .insertInto('coalitions')
    .values({ ...columns, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a coalition; a picture that is sent takes the place of the former one. */
export async function updateCoalition(tx: Handle, { id, values, now }: ActionInput<CoalitionValues>): Promise<number> {
  const files = await tx.kysely
    .selectFrom('coalitions')
    .select(['image_file_id', 'cover_file_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const columns = await columnsOf(tx, values, files)
  if (await rowEquals(tx, 'coalitions', id, columns)) return id
  await tx.kysely
    .updateTable('coalitions')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  return id
}

/** Only a coalition of the bloc wins its season. Throws 422. */
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

/** A client that sends a record back as received names the file by a signed address, which expires. */
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
