import { sql } from 'kysely'
import type { Handle } from '../../database/database.ts'

/** A computer that somebody has used; parts of its place may be unknown. */
export type SeenHost = {
  readonly host: string
  readonly floor: string | null
  readonly row: string | null
  readonly post: string | null
}

/** What has not been used for so long is not there any more. */
const SEEN_DAYS = 180
const MAX_HOSTS = 5_000

/** The computers of a campus, as those who used them lately have shown; hops from one to the next in an index. */
export async function seenHosts({ kysely }: Pick<Handle, 'kysely'>, campusId: number, now: Date): Promise<SeenHost[]> {
  const since = new Date(now.getTime() - SEEN_DAYS * 86_400_000)
  const { rows } = await sql<SeenHost>`
    with recursive hosts (host) as (
      (select host from locations where campus_id = ${campusId} order by host limit 1)
      union all
      select (select l.host from locations l where l.campus_id = ${campusId} and l.host > hosts.host order by l.host limit 1)
      from hosts where hosts.host is not null
    )
    select last.host, last.floor, last.row, last.post from hosts cross join lateral (
      select host, floor, row, post from locations
      where host = hosts.host and campus_id = ${campusId} and begin_at > ${since} order by begin_at desc, id desc limit 1
    ) last limit ${MAX_HOSTS}`.execute(kysely)
  return rows
}

/** The coalition that somebody belongs to, the last one where there are several. */
export type CoalitionOfUser = {
  readonly userId: number
  readonly id: number
  readonly name: string
  readonly color: string | null
}

/** The coalitions of these users. */
export async function coalitionsOfUsers(
  { kysely }: Pick<Handle, 'kysely'>,
  userIds: readonly number[],
): Promise<CoalitionOfUser[]> {
  const { rows } = await sql<CoalitionOfUser>`
    select distinct on (m.user_id) m.user_id as "userId", c.id, c.name, c.color
    from coalitions_users m join coalitions c on c.id = m.coalition_id
    where m.user_id = any(${userIds}::int[]) order by m.user_id, m.id desc`.execute(kysely)
  return rows
}
