import { type Asked, askFor, totalOf } from './asker.ts'
import { alternate, type ScaleLine, withinMilliseconds } from './lines.ts'

/** A list that is counted, and how a count of its rows finds them. */
type Counted = { readonly path: string; readonly table: string; readonly where: string }

const AIM_MILLISECONDS = 3
/** An answer takes so little time that some chance is in each. */
const TIMES_A_ROUND = 3

const COUNTED: readonly Counted[] = [
  { path: '/v2/campus/1/locations', table: 'locations', where: 'campus_id = 1' },
  { path: '/v2/locations?filter[primary]=true', table: 'locations', where: '"primary"' },
  { path: '/v2/campus/1/locations?filter[active]=true', table: 'locations', where: 'campus_id = 1 and end_at is null' },
  { path: '/v2/cursus/1/cursus_users', table: 'cursus_users', where: 'cursus_id = 1' },
  { path: '/v2/projects_users?filter[status]=finished', table: 'projects_users', where: "status = 'finished'" },
  { path: '/v2/teams?filter[status]=finished', table: 'teams', where: "status = 'finished'" },
  { path: '/v2/users?filter[kind]=student', table: 'users', where: "kind = 'student'" },
  { path: '/v2/users?filter[pool_year]=2024', table: 'users', where: "pool_year = '2024'" },
]

/**
 * Measures lists of one record with `X-Total`, each right after a write to the table, beside a count of the rows.
 * Throws if a total is wrong.
 */
export async function totals({ ask, database, rounds }: Asked): Promise<ScaleLine[]> {
  const lines: ScaleLine[] = []
  for (const { path, table, where } of COUNTED) {
    const address = `${path}${path.includes('?') ? '&' : '?'}per_page=1`
    const count = () => database.background.rows(`select count(*) from ${table} where ${where}`)
    const write = () =>
      database.rows(WRITES[table] ?? `update ${table} set id = id where id = (select max(id) from ${table})`)
    const times = await alternate(TIMES_A_ROUND * rounds, () => askFor(ask, address), count, write)
    const [reported, counted] = [totalOf(await askFor(ask, address)), Number((await count())[0]?.[0])]
    if (reported !== counted) throw new Error(`${path} says that there are ${reported}, and there are ${counted}`)
    lines.push(
      withinMilliseconds(`total of \`${path}\` right after a write`, times, 'count of the rows', AIM_MILLISECONDS),
    )
  }
  await database.rows("delete from locations where host = 'bench-scale'")
  return lines
}

/** Statements that change the counts. */
const WRITES: Readonly<Record<string, string>> = {
  locations: `insert into locations (user_id, campus_id, begin_at, end_at, host)
    select min(id), 1, now(), clock_timestamp(), 'bench-scale' from users`,
}
