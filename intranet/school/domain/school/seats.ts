import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { displayName } from '../../../access/display-name.ts'

/** A computer that was used. Parts of its place may be unknown. */
export type SeenHost = {
  readonly host: string
  readonly floor: string | null
  readonly row: string | null
  readonly post: string | null
}

/** Computers that were unused for longer are gone. */
const SEEN_DAYS = 180
const MAX_HOSTS = 2_000

/** Computers of a campus by recent locations. Skips from host to host in an index. */
export async function seenHosts({ kysely }: Pick<Handle, 'kysely'>, campusId: number, now: Date): Promise<SeenHost[]> {
  const since = new Date(now.getTime() - SEEN_DAYS * 86_400_000)
  const { rows } = await sql<SeenHost>`
    with recursive seen as (
      (select host, begin_at, floor, row, post from locations where campus_id = ${campusId}
       order by host, begin_at desc limit 1)
      union all
      select next.* from seen cross join lateral (
        select l.host, l.begin_at, l.floor, l.row, l.post from locations l
        where l.campus_id = ${campusId} and l.host > seen.host order by l.host, l.begin_at desc limit 1
      ) next
    )
    select host, floor, row, post from seen where begin_at > ${since} limit ${MAX_HOSTS}`.execute(kysely)
  return rows
}

export type SittingUser = SeenHost & {
  readonly user: {
    readonly id: number
    readonly login: string
    readonly displayname: string
    readonly image: string | null
  }
}

/** Users who are logged in at a campus, by host, as the API shows them. */
export async function sittingsAt({ kysely }: Pick<Handle, 'kysely'>, campusId: number): Promise<SittingUser[]> {
  const { rows } = await sql<SeenHost & SittingUser['user']>`
    select l.host, l.floor, l.row, l.post, u.id, u.login, u.image,
      ${displayName('u')} as displayname
    from locations l join users u on u.id = l.user_id
    where l.campus_id = ${campusId} and l.end_at is null order by l.host`.execute(kysely)
  return rows.map(({ host, floor, row, post, ...user }) => ({ host, floor, row, post, user }))
}

/** The latest coalition of a user. */
export type CoalitionOfUser = {
  readonly userId: number
  readonly id: number
  readonly name: string
  readonly color: string | null
}

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
