import type { TextRow } from '../../src/database/text-query.ts'
import { boolean, number, text, time } from './json.ts'
import type { Rows } from './rows.ts'

type Texts = ReadonlyMap<string, string>

/** Small tables as finished JSON by id, read once. */
export type References = {
  readonly campus: Texts
  readonly cursus: Texts
  readonly groups: Texts
  readonly titles: Texts
  readonly roles: Texts
  /** Names only. */
  readonly skills: Texts
}

/** Reads the small tables, one after another. */
export async function readReferences(rows: Rows): Promise<References> {
  const read = async (select: string, write: (row: TextRow) => string): Promise<Texts> => {
    const found = await rows({ name: '', text: select })
    return new Map(found.map((row) => [row[0] as string, write(row)]))
  }
  const named = (table: string) =>
    read(`select id, name from ${table}`, ([id, name]) => `{"id":${id},"name":${text(name)}}`)
  return {
    campus: await read(CAMPUS, writeCampus),
    cursus: await read('select id, created_at, name, slug, kind from cursus', writeCursus),
    groups: await named('groups'),
    titles: await named('titles'),
    roles: await named('roles'),
    skills: await read('select id, name from skills', ([, name]) => text(name)),
  }
}

const CAMPUS = `select c.id, c.name, c.time_zone, l.id, l.name, l.identifier, l.created_at, l.updated_at,
  (select count(*) from campus_users where campus_id = c.id), c.vogsphere_id, c.country, c.address, c.zip, c.city,
  c.website, c.facebook, c.twitter, c.active, c.public, c.email_extension, c.default_hidden_phone
  from campus c join languages l on l.id = c.language_id`

function writeCampus(row: TextRow): string {
  const language =
    `{"id":${row[3]},"name":${text(row[4])},"identifier":${text(row[5])},` +
    `"created_at":${time(row[6])},"updated_at":${time(row[7])}}`
  return (
    `{"id":${row[0]},"name":${text(row[1])},"time_zone":${text(row[2])},"language":${language},` +
    `"users_count":${row[8]},"vogsphere_id":${number(row[9])},"country":${text(row[10])},"address":${text(row[11])},` +
    `"zip":${text(row[12])},"city":${text(row[13])},"website":${text(row[14])},"facebook":${text(row[15])},` +
    `"twitter":${text(row[16])},"active":${boolean(row[17])},"public":${boolean(row[18])},` +
    `"email_extension":${text(row[19])},"default_hidden_phone":${boolean(row[20])}}`
  )
}

const writeCursus = ([id, createdAt, name, slug, kind]: TextRow) =>
  `{"id":${id},"created_at":${time(createdAt)},"name":${text(name)},"slug":${text(slug)},"kind":"${kind}"}`
