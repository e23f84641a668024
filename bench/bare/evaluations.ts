import type { TextRow } from '@campus/engine/database/text-query'
import { boolean, number, text, time, type Value } from './json.ts'
import { gatherSql, listSql } from './list-sql.ts'
import type { References } from './references.ts'
import type { Rows, Statement } from './rows.ts'
import { TEAM_COLUMNS, TEAM_WIDTH, UPLOADS, writeOpenTeam, writeUploads } from './teams.ts'
import { USER_COLUMNS, USER_WIDTH, writeOpenUser } from './user.ts'

type Item = readonly Value[]
type Known = { readonly rows: Rows; readonly references: References; readonly baseUrl: string }

/** An application without roles sees both people of an evaluation from 15 minutes before it. */
const IS_HIDDEN = "coalesce(s.begin_at > now() + interval '15 minutes', false) and s.filled_at is null"

const COLUMNS = `s.id, s.scale_id, s.comment, s.created_at, s.updated_at, s.feedback, s.feedback_rating, s.final_mark,
  s.flag_id, s.begin_at, ${IS_HIDDEN}, s.user_id, s.truant_id, s.filled_at,
  ${gatherSql('m.user_id', 'teams_users m where m.team_id = s.team_id and m.validated', 'm.user_id')},
  ${listSql('a.id, question_id, value', 'answers a where a.scale_team_id = s.id', 'question_id, a.id')}`
const WIDTH = 16

const FEEDBACKS = listSql(
  `f.id, login, user_id, feedbackable_type, feedbackable_id, comment, rating, f.created_at,
   ${listSql('id, rate, kind', 'feedback_details where feedback_id = f.id')}`,
  'feedbacks f join users on users.id = user_id where f.scale_team_id = s.id',
  'f.id',
)

const SCALE_TEAMS: Statement = {
  name: 'scale_teams',
  text: `select ${COLUMNS}, ${TEAM_COLUMNS}, ${UPLOADS}, ${FEEDBACKS}
    from (select * from scale_teams order by begin_at desc, id desc limit 30) s join teams t on t.id = s.team_id
    order by s.begin_at desc, s.id desc`,
}

const TEAMS: Statement = {
  name: 'teams',
  text: `select ${TEAM_COLUMNS}, ${listSql(COLUMNS, `scale_teams s where s.team_id = t.id and not (${IS_HIDDEN})`, 's.id')},
      ${UPLOADS}
    from (select * from teams order by id limit 30) t order by t.id`,
}

const USERS: Statement = {
  name: 'users by id',
  text: `select ${USER_COLUMNS} from users u where u.id = any($1::integer[])`,
}

/** Reads each user of a page once, however many of its evaluations show it. */
async function readUsers({ rows, baseUrl }: Known, evaluations: readonly (readonly unknown[])[]) {
  const ids = new Set<unknown>()
  for (const values of evaluations) {
    for (const id of [values[11], values[12]]) if (id != null) ids.add(Number(id))
    for (const id of listOf(values[14])) ids.add(id)
  }
  const found = ids.size === 0 ? [] : await rows(USERS, [[...ids]])
  return new Map(found.map((row) => [Number(row[0]), `${writeOpenUser(row, 0, baseUrl)}}`]))
}

const listOf = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value) as readonly never[]

function writeEvaluation(
  values: readonly unknown[],
  users: ReadonlyMap<number, string>,
  { references }: Known,
): string {
  const value = (place: number) => values[place] as Value
  const isHidden = value(10) === 't' || value(10) === true
  const user = (place: number) => (value(place) == null ? '{}' : users.get(Number(value(place))))
  const correcteds = listOf(values[14]).map((id) => users.get(id))
  return (
    `{"id":${value(0)},"scale_id":${value(1)},"comment":${text(value(2))},"created_at":${time(value(3))},` +
    `"updated_at":${time(value(4))},"feedback":${text(value(5))},"feedback_rating":${number(value(6))},` +
    `"final_mark":${number(value(7))},"flag":${references.flags.get(`${value(8)}`)},"begin_at":${time(value(9))},` +
    `"correcteds":${isHidden ? '"invisible"' : `[${correcteds.join(',')}]`},` +
    `"corrector":${isHidden ? '"invisible"' : user(11)},"truant":${user(12)},"filled_at":${time(value(13))},` +
    `"questions_with_answers":[${listOf(values[15])
      .map((item) => writeAnswer(item, references))
      .join(',')}]`
  )
}

const writeAnswer = ([id, question, value]: Item, { questions }: References) =>
  `{"id":${id},"question_id":${question},"value":${number(value)},"question":${questions.get(`${question}`)}}`

const writeFeedback = (item: readonly unknown[], baseUrl: string): string => {
  const [id, login, user, type, about, comment, rating, createdAt, details] = item as Item
  const rates = (details as unknown as Item[]).map(
    ([detail, rate, kind]) => `{"id":${detail},"rate":${rate},"kind":${text(kind)}}`,
  )
  return (
    `{"id":${id},"user":{"login":"${login}","id":${user},"url":"${baseUrl}/v2/users/${login}"},` +
    `"feedbackable_type":${text(type)},"feedbackable_id":${about},"comment":${text(comment)},` +
    `"rating":${number(rating)},"created_at":${time(createdAt)},"feedback_details":[${rates.join(',')}]}`
  )
}

/** The page of evaluations. */
export async function writeScaleTeams(known: Known): Promise<string[]> {
  const { rows, references, baseUrl } = known
  const found = await rows(SCALE_TEAMS)
  const users = await readUsers(
    known,
    found.filter((row) => row[10] !== 't'),
  )
  return found.map((row) => {
    const team = `${writeOpenTeam(row, WIDTH, baseUrl)},"teams_uploads":[${writeUploads(row[WIDTH + TEAM_WIDTH] as string)}]}`
    const feedbacks = listOf(row[WIDTH + TEAM_WIDTH + 1]).map((item) => writeFeedback(item, baseUrl))
    return (
      `${writeEvaluation(row, users, known)},"scale":${references.scales.get(row[1] as string)}` +
      `${row[10] === 't' ? '' : `,"team":${team}`},"feedbacks":[${feedbacks.join(',')}]}`
    )
  })
}

/** The page of teams, with their evaluations. */
export async function writeTeams(known: Known): Promise<string[]> {
  const found = await known.rows(TEAMS)
  const evaluations = found.map((row) => listOf(row[TEAM_WIDTH]) as readonly (readonly unknown[])[])
  const users = await readUsers(known, evaluations.flat())
  return found.map((row, index) => {
    const written = evaluations[index]?.map((item) => `${writeEvaluation(item, users, known)}}`) ?? []
    return (
      `${writeOpenTeam(row, 0, known.baseUrl)},"scale_teams":[${written.join(',')}],` +
      `"teams_uploads":[${writeUploads(row[TEAM_WIDTH + 1] as string)}]}`
    )
  })
}

const PROJECTS_USERS: Statement = {
  name: 'projects_users',
  text: `select ${USER_COLUMNS}, p.id, occurrence, p.final_mark, p.status, p.validated, current_team_id, p.project_id,
      marked_at, retriable_at, p.created_at, p.updated_at,
      ${listSql(TEAM_COLUMNS, 'teams_users x join teams t on t.id = x.team_id where x.projects_user_id = p.id', 't.id')}
    from (select * from projects_users order by created_at desc, id desc limit 30) p join users u on u.id = p.user_id
    order by p.created_at desc, p.id desc`,
}

function writeProjectsUser(row: TextRow, { references, baseUrl }: Known): string {
  const [id, occurrence, mark, status, validated, team, project, markedAt, retriableAt, createdAt, updatedAt, teams] =
    row.slice(USER_WIDTH)
  return (
    `{"id":${id},"occurrence":${occurrence},"final_mark":${number(mark)},"status":"${status}",` +
    `"validated?":${boolean(validated)},"current_team_id":${number(team)},${references.projects.get(project as string)},` +
    `"marked_at":${time(markedAt)},"marked":${markedAt !== null},"retriable_at":${time(retriableAt)},` +
    `"created_at":${time(createdAt)},"updated_at":${time(updatedAt)},"user":${writeOpenUser(row, 0, baseUrl)}},` +
    `"teams":[${listOf(teams)
      .map((item) => `${writeOpenTeam(item, 0, baseUrl)}}`)
      .join(',')}]}`
  )
}

/** The page of parts in projects, with their teams. */
export const writeProjectsUsers = async (known: Known): Promise<string[]> =>
  (await known.rows(PROJECTS_USERS)).map((row) => writeProjectsUser(row, known))
