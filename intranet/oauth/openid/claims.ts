import { slugOf } from '@campus/engine/base/text/slugs'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { initialsPath } from '../../services/attachments/initials.ts'
import { hasProfileClaims } from './scopes.ts'

/** Claims about a user (OpenID Connect Core §5.1), without `sub`. */
export type Claims = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** All names of claims, for the metadata. */
export const CLAIM_NAMES = [
  ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'sid'],
  ...['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'profile', 'zoneinfo', 'updated_at'],
  ...['email', 'email_verified', 'groups'],
]

type Asked = {
  readonly userId: number
  readonly scopes: readonly string[]
  readonly baseUrl: string
  /** Public address of pictures. */
  readonly picturesUrl: string
  readonly now: Date
}

/** Returns the claims that scopes open. A deleted or closed user has none. */
export async function claimsOf(handle: Handle, { userId, scopes, baseUrl, picturesUrl, now }: Asked): Promise<Claims> {
  const row = await handle.kysely
    .selectFrom('users')
    .leftJoin('campus_users', (join) =>
      join.onRef('campus_users.user_id', '=', 'users.id').on('campus_users.is_primary', 'is', true),
    )
    .leftJoin('campus', 'campus.id', 'campus_users.campus_id')
    .select(['users.login', 'users.email', 'users.email_verified_at', 'users.kind', 'users.image', 'users.updated_at'])
    .select([
      'campus.time_zone',
      'users.last_name',
      sql<string>`coalesce(users.usual_first_name, users.first_name)`.as('first_name'),
    ])
    .where('users.id', '=', userId)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return {}
  const { login, email, email_verified_at } = row
  const displayname = `${row.first_name} ${row.last_name}`.trimEnd()
  return {
    ...(hasProfileClaims(scopes) && {
      name: displayname,
      given_name: row.first_name,
      family_name: row.last_name,
      preferred_username: login,
      profile: `${baseUrl}/people/${encodeURIComponent(login)}`,
      picture: pictureOf(row.image ?? initialsPath({ login, displayname }), picturesUrl),
      ...(row.time_zone !== null && { zoneinfo: row.time_zone }),
      updated_at: Math.floor(row.updated_at.getTime() / 1000),
    }),
    ...(scopes.includes('email') && email !== null && { email, email_verified: email_verified_at !== null }),
    ...(scopes.includes('groups') && { groups: await groupsOf(handle, userId, row.kind, now) }),
  }
}

/** Returns an absolute address. A path is below `picturesUrl`. */
const pictureOf = (address: string, picturesUrl: string) =>
  new URL(address.startsWith('/') ? picturesUrl + address : address, `${picturesUrl}/`).href

/** Present groups of a user, as `<kind>:<name>`, so that names of different kinds do not collide. */
async function groupsOf({ kysely }: Handle, userId: number, kind: string, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ kind: string; name: string }>`
    select 'campus' as kind, slug as name from campus join campus_users m on m.campus_id = campus.id where m.user_id = ${userId}
    union all
    select 'cursus', slug from cursus join cursus_users m on m.cursus_id = cursus.id
    where m.user_id = ${userId} and m.begin_at <= ${now} and (m.end_at is null or m.end_at > ${now})
    union all
    select 'coalition', slug from coalitions join coalitions_users m on m.coalition_id = coalitions.id where m.user_id = ${userId}
    union all
    select 'role', name from roles join roles_users m on m.role_id = roles.id where m.user_id = ${userId}
    union all
    select 'group', name from groups join groups_users m on m.group_id = groups.id where m.user_id = ${userId}
  `.execute(kysely)
  return [`kind:${kind}`, ...new Set(rows.map((row) => `${row.kind}:${slugOf(row.name)}`))].toSorted()
}
