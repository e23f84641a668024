import { boolean, number, text, time, type Value } from './json.ts'
import { gatherSql, listSql } from './list-sql.ts'
import type { References } from './references.ts'

/** A row as a JSON array. */
type Item = readonly Value[]
type Known = { readonly references: References; readonly shortUser: string; readonly baseUrl: string }

/** One list of a user's full form. */
export type List = {
  readonly key: string
  /** Gives a JSON array for the user `u`. */
  readonly select: string
  /** Writes an element of that array. */
  write(item: never, known: Known): string
}

/** In the order of the full form. */
export const LISTS: readonly List[] = [
  retained('groups', 'groups_users', 'group_id'),
  {
    key: 'cursus_users',
    select: listSql(
      `id, begin_at, end_at, grade, level, cursus_id, has_coalition, blackholed_at, created_at, updated_at,
       ${listSql('skill_id, level', 'cursus_users_skills where cursus_user_id = c.id', 'skill_id')}`,
      'cursus_users c where user_id = u.id',
    ),
    write: (item: Item, { references, shortUser }) =>
      `{"id":${item[0]},"begin_at":${time(item[1])},"end_at":${time(item[2])},"grade":${text(item[3])},` +
      `"level":${item[4]},"skills":[${writeSkills(item[10] as never, references)}],"cursus_id":${item[5]},` +
      `"has_coalition":${item[6]},"blackholed_at":${time(item[7])},${writeTimes(item, 8)},"user":${shortUser},` +
      `"cursus":${references.cursus.get(`${item[5]}`)}}`,
  },
  {
    key: 'projects_users',
    select: listSql(
      `p.id, occurrence, final_mark, status, validated, current_team_id, project_id, name, slug, parent_id,
       (select json_agg(cursus_id order by cursus_id) from projects_cursus where project_id = p.project_id)::text,
       marked_at, retriable_at, p.created_at, p.updated_at`,
      'projects_users p join projects q on q.id = p.project_id where user_id = u.id',
      'p.id',
    ),
    write: (item: Item) =>
      `{"id":${item[0]},"occurrence":${item[1]},"final_mark":${number(item[2])},"status":${text(item[3])},` +
      `"validated?":${boolean(item[4])},"current_team_id":${number(item[5])},"project":{"id":${item[6]},` +
      `"name":${text(item[7])},"slug":${text(item[8])},"parent_id":${number(item[9])}},"cursus_ids":${item[10] ?? '[]'},` +
      `"marked_at":${time(item[11])},"marked":${item[11] !== null},"retriable_at":${time(item[12])},` +
      `${writeTimes(item, 13)}}`,
  },
  {
    key: 'languages_users',
    select: listSql(
      'id, language_id, user_id, position, created_at',
      'languages_users where user_id = u.id',
      'position',
    ),
    write: ([id, language, user, position, createdAt]: Item) =>
      `{"id":${id},"language_id":${language},"user_id":${user},"position":${position},"created_at":${time(createdAt)}}`,
  },
  {
    key: 'achievements',
    select: listSql(
      'a.id, name, description, tier, kind, visible, image, a.nbr_of_success',
      'achievements_users t join achievements a on a.id = achievement_id where user_id = u.id',
      'a.id',
    ),
    write: (item: Item, { baseUrl }) =>
      `{"id":${item[0]},"name":${text(item[1])},"description":${text(item[2])},"tier":${text(item[3])},` +
      `"kind":${text(item[4])},"visible":${item[5]},"image":${text(item[6])},"nbr_of_success":${number(item[7])},` +
      `"users_url":"${baseUrl}/v2/achievements/${item[0]}/users"}`,
  },
  retained('titles', 'titles_users', 'title_id'),
  {
    key: 'titles_users',
    select: listSql('id, user_id, title_id, selected, created_at, updated_at', 'titles_users where user_id = u.id'),
    write: (item: Item) =>
      `{"id":${item[0]},"user_id":${item[1]},"title_id":${item[2]},"selected":${item[3]},${writeTimes(item, 4)}}`,
  },
  {
    key: 'partnerships',
    select: listSql(
      `p.id, name, slug, difficulty,
       ${listSql('id, partnership_id, skill_id, value, created_at, updated_at', 'partnerships_skills where partnership_id = p.id')}`,
      'partnerships_users t join partnerships p on p.id = partnership_id where user_id = u.id',
      'p.id',
    ),
    write: (item: Item, { baseUrl }) => {
      const url = `${baseUrl}/v2/partnerships/${encodeURIComponent(`${item[2]}`)}`
      return (
        `{"id":${item[0]},"name":${text(item[1])},"slug":${text(item[2])},"difficulty":${number(item[3])},` +
        `"url":"${url}","partnerships_users_url":"${url}/partnerships_users",` +
        `"partnerships_skills":[${writeTaught(item[4] as never)}]}`
      )
    },
  },
  patronages('patroned', 'user_id'),
  patronages('patroning', 'godfather_id'),
  {
    key: 'expertises_users',
    select: listSql(
      'id, expertise_id, interested, value, contact_me, created_at, user_id',
      'expertises_users where user_id = u.id',
    ),
    write: (item: Item) =>
      `{"id":${item[0]},"expertise_id":${item[1]},"interested":${item[2]},"value":${item[3]},` +
      `"contact_me":${item[4]},"created_at":${time(item[5])},"user_id":${item[6]}}`,
  },
  retained('roles', 'roles_users', 'role_id'),
  retained('campus', 'campus_users', 'campus_id'),
  {
    key: 'campus_users',
    select: listSql('id, user_id, campus_id, is_primary, created_at, updated_at', 'campus_users where user_id = u.id'),
    write: (item: Item) =>
      `{"id":${item[0]},"user_id":${item[1]},"campus_id":${item[2]},"is_primary":${item[3]},${writeTimes(item, 4)}}`,
  },
]

/** Records of a small table that is cached: only their ids are queried. */
function retained(key: 'groups' | 'titles' | 'roles' | 'campus', joinSql: string, column: string): List {
  return {
    key,
    select: gatherSql(column, `${joinSql} where user_id = u.id`, column),
    write: (id: number, { references }) => references[key].get(`${id}`) as string,
  }
}

function patronages(key: string, column: string): List {
  return {
    key,
    select: listSql('id, user_id, godfather_id, ongoing, created_at, updated_at', `patronages where ${column} = u.id`),
    write: (item: Item) =>
      `{"id":${item[0]},"user_id":${item[1]},"godfather_id":${item[2]},"ongoing":${item[3]},${writeTimes(item, 4)}}`,
  }
}

const writeTimes = (item: Item, at: number) => `"created_at":${time(item[at])},"updated_at":${time(item[at + 1])}`

const writeSkills = (items: readonly Item[], { skills }: References) =>
  items.map(([id, level]) => `{"id":${id},"name":${skills.get(`${id}`)},"level":${level}}`).join(',')

const writeTaught = (items: readonly Item[]) =>
  items
    .map(
      (item) =>
        `{"id":${item[0]},"partnership_id":${item[1]},"skill_id":${item[2]},"value":${item[3]},${writeTimes(item, 4)}}`,
    )
    .join(',')
