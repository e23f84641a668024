import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { textContains } from '@campus/engine/database/text-contains'
import { notFound } from '@campus/engine/errors'
import { sql } from 'kysely'
import { displayName } from '../../../access/display-name.ts'
import { accountOf } from './accounts.ts'

/** Omitted filters match everybody. */
export type UserFilter = {
  /** Text in the login, a name or the address. */
  readonly text?: string | undefined
  readonly kind?: string | undefined
  readonly state?: string | undefined
  readonly campusId?: number | undefined
  /** Only logins after this one. */
  readonly after?: string | undefined
}

export const findPeople = (
  handle: Handle,
  { text = '', kind, state, campusId, after }: UserFilter,
  part: { readonly limit: number; readonly offset?: number },
) =>
  handle.kysely
    .selectFrom('users')
    .select(['id', 'login', 'email', 'image', 'kind', 'closed_at', displayName().as('name')])
    .select([
      sql<string | null>`(select campus.name from campus_users join campus on campus.id = campus_users.campus_id
        where campus_users.user_id = users.id and is_primary)`.as('campus'),
      sql<Date | null>`(select max(created_at) from sessions where sessions.user_id = users.id and awaiting is null)`.as(
        'signed_in_at',
      ),
    ])
    .$if(text.trim() !== '', (query) =>
      query.where(textContains(text, ['login', 'first_name', 'last_name', 'usual_first_name', 'email'])),
    )
    .$if(kind !== undefined, (query) => query.where('kind', '=', defined(kind)))
    .$if(state === 'open', (query) => query.where('closed_at', 'is', null))
    .$if(state === 'closed', (query) => query.where('closed_at', 'is not', null))
    .$if(after !== undefined, (query) => query.where('login', '>', defined(after)))
    .$if(campusId !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('campus_users')
            .select('campus_users.id')
            .whereRef('campus_users.user_id', '=', 'users.id')
            .where('campus_users.campus_id', '=', defined(campusId)),
        ),
      ),
    )
    .orderBy('login')
    .limit(part.limit)
    .offset(part.offset ?? 0)
    .execute()

/** Throws 404. */
export async function personByLogin(handle: Handle, login: string) {
  const { id } = await accountOf(handle, login)
  return { ...(await personById(handle, id)), closes: await closesOf(handle, id) }
}

/** Throws 404. */
export async function personById(handle: Handle, id: number) {
  const found = await handle.kysely
    .selectFrom('users')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .select(['users.id', 'login', 'email', 'image', 'kind', 'closed_at', 'users.created_at', displayName().as('name')])
    .select(['second_factors.confirmed_at as second_factor_since', 'pool_year', 'pool_month'])
    .select(sql<boolean>`password_digest is not null`.as('has_password'))
    .select(sql<number>`(select count(*)::int from passkeys where passkeys.user_id = users.id)`.as('passkeys'))
    .select(
      sql<string[]>`array(select campus.name from campus_users join campus on campus.id = campus_users.campus_id
        where campus_users.user_id = users.id order by is_primary desc, campus.name)`.as('campuses'),
    )
    .where('users.id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('There is no such person.')
  return found
}

export const closesOf = (handle: Handle, userId: number) =>
  handle.kysely
    .selectFrom('closes')
    .leftJoin('users as closer', 'closer.id', 'closes.closer_id')
    .select(['closes.id', 'closes.kind', 'reason', 'state', 'closes.created_at', 'closer.login as closer'])
    .where('closes.user_id', '=', userId)
    .orderBy('closes.id', 'desc')
    .execute()
