import { boolean, number, text, time, type Value } from './json.ts'
import { listSql } from './list-sql.ts'

/** A row as a JSON array. */
type Item = readonly Value[]

/** The 16 values of a team; the last one is its members. */
export const TEAM_COLUMNS = `t.id, t.name, t.final_mark, t.project_id, t.created_at, t.updated_at, t.status,
  t.terminating_at, t.locked_at, t.validated, t.closed_at, t.repo_url, t.repo_uuid, t.project_session_id,
  t.project_gitlab_path,
  ${listSql(
    'm.user_id, login, leader, occurrence, validated, projects_user_id',
    'teams_users m join users on users.id = m.user_id where team_id = t.id',
    'm.id',
  )}`

export const TEAM_WIDTH = 16

/** Uploads of a team, as a column of their own. */
export const UPLOADS = listSql('id, final_mark, comment, created_at, upload_id', 'teams_uploads where team_id = t.id')

/** Writes a team without the closing brace. The members are a list, or such a list as JSON text. */
export function writeOpenTeam(values: readonly unknown[], at: number, baseUrl: string): string {
  const value = (place: number) => values[at + place] as Value
  const members = values[at + 15]
  const list: readonly Item[] = typeof members === 'string' ? JSON.parse(members) : (members as readonly Item[])
  return (
    `{"id":${value(0)},"name":${text(value(1))},"url":"${baseUrl}/v2/teams/${value(0)}",` +
    `"final_mark":${number(value(2))},"project_id":${value(3)},"created_at":${time(value(4))},` +
    `"updated_at":${time(value(5))},"status":"${value(6)}","terminating_at":${time(value(7))},` +
    `"users":[${list.map((member) => writeMember(member, baseUrl)).join(',')}],"locked?":${value(8) !== null},` +
    `"validated?":${boolean(value(9))},"closed?":${value(10) !== null},"repo_url":${text(value(11))},` +
    `"repo_uuid":${text(value(12))},"locked_at":${time(value(8))},"closed_at":${time(value(10))},` +
    `"project_session_id":${value(13)},"project_gitlab_path":${text(value(14))}`
  )
}

const writeMember = ([id, login, leader, occurrence, validated, projectsUser]: Item, baseUrl: string) =>
  `{"id":${id},"login":"${login}","url":"${baseUrl}/v2/users/${login}","leader":${leader},` +
  `"occurrence":${occurrence},"validated":${validated},"projects_user_id":${number(projectsUser)}}`

/** Writes the uploads from their JSON text. */
export const writeUploads = (json: string) =>
  (JSON.parse(json) as Item[])
    .map(
      ([id, mark, comment, createdAt, upload]) =>
        `{"id":${id},"final_mark":${number(mark)},"comment":${text(comment)},"created_at":${time(createdAt)},` +
        `"upload_id":${upload}}`,
    )
    .join(',')
