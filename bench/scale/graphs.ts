import { type Asked, askFor } from './asker.ts'
import { alternate, type ScaleLine, withinMilliseconds } from './lines.ts'

const AIM_MILLISECONDS = 20
/** A zone whose clocks differ from UTC by a half hour. */
const ZONE = 'Asia/Kolkata'
const GRAPH = 'locations/graph/on/begin_at/by/day'

const GRAPHS = [
  { path: `/v2/${GRAPH}`, where: 'true', zone: 'UTC' },
  { path: `/v2/campus/1/${GRAPH}`, where: 'campus_id = 1', zone: 'Europe/Paris' },
  { path: `/v2/${GRAPH}?time_zone=${ZONE}`, where: 'true', zone: ZONE },
  { path: `/v2/campus/1/${GRAPH}?time_zone=${ZONE}`, where: 'campus_id = 1', zone: ZONE },
]
/** The reference takes seconds. */
const ROUNDS = 3

/** Graphs by day over all locations, beside a count of the rows by day. */
export async function graphs({ ask, database }: Asked): Promise<ScaleLine[]> {
  const lines: ScaleLine[] = []
  for (const { path, where, zone } of GRAPHS) {
    const count = () =>
      database.background.rows(
        `select date_trunc('day', begin_at at time zone '${zone}'), count(*) from locations where ${where} group by 1`,
      )
    const times = await alternate(ROUNDS, () => askFor(ask, path), count)
    lines.push(withinMilliseconds(`graph \`${path}\``, times, 'count of the rows by day', AIM_MILLISECONDS))
  }
  return lines
}
