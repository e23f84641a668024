import type { TextRow } from '@campus/engine/database/text-query'
import { midnight, text, time } from './json.ts'

/** Columns of a user's short form. */
export const USER_COLUMNS = `u.id, u.email, u.login, u.first_name, u.last_name, u.usual_first_name,
  case when u.phone_hidden then 'hidden' else u.phone end, u.kind, u.image, u.correction_point, u.pool_month,
  u.pool_year,
  (select host from locations where user_id = u.id and end_at is null order by begin_at desc limit 1),
  u.wallet, u.anonymize_date, u.data_erasure_date, u.created_at, u.updated_at, u.alumnized_at, u.closed_at is null`

export const USER_WIDTH = 20

/** Writes the short form from the columns that begin at `at`, without the closing brace. */
export function writeOpenUser(row: TextRow, at: number, baseUrl: string): string {
  const login = row[at + 2] as string
  const lastName = row[at + 4] as string
  const name = text(`${row[at + 5] ?? row[at + 3]} ${lastName}`)
  const kind = row[at + 7]
  const alumnizedAt = row[at + 18]
  return (
    `{"id":${row[at]},"email":${text(row[at + 1])},"login":"${login}","first_name":${text(row[at + 3])},` +
    `"last_name":${text(lastName)},"usual_full_name":${name},"usual_first_name":${text(row[at + 5])},` +
    `"url":"${baseUrl}/v2/users/${login}","phone":${text(row[at + 6])},"displayname":${name},"kind":"${kind}",` +
    `"image":${writeImage(row[at + 8], baseUrl)},"staff?":${kind === 'admin'},"correction_point":${row[at + 9]},` +
    `"pool_month":${text(row[at + 10])},"pool_year":${text(row[at + 11])},"location":${text(row[at + 12])},` +
    `"wallet":${row[at + 13]},"anonymize_date":${midnight(row[at + 14])},` +
    `"data_erasure_date":${midnight(row[at + 15])},"created_at":${time(row[at + 16])},` +
    `"updated_at":${time(row[at + 17])},"alumnized_at":${time(alumnizedAt)},"alumni?":${alumnizedAt !== null},` +
    `"active?":${row[at + 19] === 't'}`
  )
}

const NO_IMAGE = '{"link":null,"versions":{"large":null,"medium":null,"small":null,"micro":null}}'

function writeImage(link: string | null | undefined, baseUrl: string): string {
  if (link == null) return NO_IMAGE
  const own = JSON.stringify(link).slice(1, -1)
  const escaped = own.startsWith('/') ? baseUrl + own : own
  const cut = escaped.lastIndexOf('/') + 1
  const folder = escaped.slice(0, cut)
  const file = escaped.slice(cut)
  return (
    `{"link":"${escaped}","versions":{"large":"${folder}large_${file}","medium":"${folder}medium_${file}",` +
    `"small":"${folder}small_${file}","micro":"${folder}micro_${file}"}}`
  )
}
