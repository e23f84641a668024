import type { TextRow } from '@campus/engine/database/text-query'
import { boolean, number, text, time } from './json.ts'
import { gatherSql } from './list-sql.ts'
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
  readonly flags: Texts
  readonly scales: Texts
  readonly questions: Texts
  /** With the ids of its cursus, as the members of an object. */
  readonly projects: Texts
}

/** Reads the small tables, one after another. */
export async function readReferences(rows: Rows): Promise<References> {
  const read = async (select: string, write: (row: TextRow) => string): Promise<Texts> => {
    const found = await rows({ name: '', text: select })
    return new Map(found.map((row) => [row[0] as string, write(row)]))
  }
  const named = (table: string) =>
    read(`select id, name from ${table}`, ([id, name]) => `{"id":${id},"name":${text(name)}}`)
  const languages = await read('select id, name, identifier, created_at, updated_at from languages', writeLanguage)
  const flags = await read('select id, name, positive, icon, created_at, updated_at from flags', writeFlag)
  return {
    flags,
    scales: await read(SCALES, (row) => writeScale(row, { languages, flags })),
    questions: await read('select id, name, guidelines, rating, kind from questions', writeQuestion),
    projects: await read(PROJECTS, writeProject),
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

const writeLanguage = ([id, name, identifier, createdAt, updatedAt]: TextRow) =>
  `{"id":${id},"name":${text(name)},"identifier":${text(identifier)},` +
  `"created_at":${time(createdAt)},"updated_at":${time(updatedAt)}}`

const writeFlag = ([id, name, positive, icon, createdAt, updatedAt]: TextRow) =>
  `{"id":${id},"name":${text(name)},"positive":${boolean(positive)},"icon":${text(icon)},` +
  `"created_at":${time(createdAt)},"updated_at":${time(updatedAt)}}`

const writeQuestion = ([id, name, guidelines, rating, kind]: TextRow) =>
  `{"id":${id},"name":${text(name)},"guidelines":${text(guidelines)},"rating":${boolean(rating)},"kind":${text(kind)}}`

const PROJECTS = `select id, name, slug, parent_id,
  ${gatherSql('cursus_id', 'projects_cursus where project_id = p.id', 'cursus_id')} from projects p`

const writeProject = ([id, name, slug, parent, cursus]: TextRow) =>
  `"project":{"id":${id},"name":${text(name)},"slug":${text(slug)},"parent_id":${number(parent)}},"cursus_ids":${cursus}`

const SCALES = `select s.id, evaluation_id, name, is_primary, comment, introduction_md, disclaimer_md, guidelines_md,
  created_at, correction_number, duration, manual_subscription, is_external, free,
  ${gatherSql('language_id', 'scales_languages where scale_id = s.id', 'language_id')},
  ${gatherSql('flag_id', 'scales_flags where scale_id = s.id', 'flag_id')} from scales s`

function writeScale(
  row: TextRow,
  { languages, flags }: Pick<References, 'flags'> & { readonly languages: Texts },
): string {
  const listOf = (ids: string | null | undefined, texts: Texts) =>
    (JSON.parse(ids as string) as number[]).map((id) => texts.get(`${id}`)).join(',')
  return (
    `{"id":${row[0]},"evaluation_id":${row[1]},"name":${text(row[2])},"is_primary":${boolean(row[3])},` +
    `"comment":${text(row[4])},"introduction_md":${text(row[5])},"disclaimer_md":${text(row[6])},` +
    `"guidelines_md":${text(row[7])},"created_at":${time(row[8])},"correction_number":${row[9]},` +
    `"duration":${row[10]},"manual_subscription":${boolean(row[11])},"is_external":${boolean(row[12])},` +
    `"free":${boolean(row[13])},"languages":[${listOf(row[14], languages)}],"flags":[${listOf(row[15], flags)}]}`
  )
}
