import type { Handle } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'
import { sql } from 'kysely'
import { API_SCOPES } from '../access/scopes.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { lockApplication } from './applications/lock.ts'
import { PUBLIC_SECTOR } from './openid/openid.ts'
import { revokeFamily, revokeTokensOf } from './token-families.ts'

type OfApplication = { readonly applicationId: number; readonly now: Date }

/** An authorization with valid or renewable tokens. */
export type LiveAuthorization = {
  readonly id: number
  /** Null if the application knows the person by a pairwise subject alone. */
  readonly login: string | null
  readonly scopes: readonly string[]
  readonly created_at: Date
  /** When its last token was issued. */
  readonly last_token_at: Date | null
  readonly ends_at: Date
}

/** Returns the authorizations of an application, the latest first. */
export const liveAuthorizations = (
  { kysely }: Handle,
  { applicationId, now }: OfApplication,
  part: { readonly limit: number; readonly offset: number },
): Promise<LiveAuthorization[]> =>
  kysely
    .selectFrom('token_families as family')
    .innerJoin('users', 'users.id', 'family.user_id')
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('access_tokens')
          .select(({ fn }) => [fn.max('expires_at').as('ends_at'), fn.max('created_at').as('last_token_at')])
          .whereRef('family_id', '=', 'family.id')
          .where('revoked_at', 'is', null)
          .as('access'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('refresh_tokens')
          .select(({ fn }) => fn.max('expires_at').as('ends_at'))
          .whereRef('family_id', '=', 'family.id')
          .where('used_at', 'is', null)
          .as('refresh'),
      (join) => join.onTrue(),
    )
    .select([LOGIN, 'family.id', 'family.scopes', 'family.created_at', 'access.last_token_at'])
    .select(sql<Date>`greatest(access.ends_at, refresh.ends_at)`.as('ends_at'))
    .where('family.application_id', '=', applicationId)
    .where('family.revoked_at', 'is', null)
    .where('users.closed_at', 'is', null)
    .where(sql<boolean>`greatest(access.ends_at, refresh.ends_at) > ${now}`)
    .orderBy('family.id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()

/** The login would identify the person across the sectors of pairwise subjects. */
const LOGIN = sql<string | null>`
  case when family.sector <> ${PUBLIC_SECTOR} and not family.scopes && ${[...API_SCOPES]}::text[] then null else users.login end
`.as('login')

/** Counts the valid tokens that an application has for itself. */
export async function liveClientTokens({ kysely }: Handle, { applicationId, now }: OfApplication): Promise<number> {
  const { count } = await kysely
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('application_id', '=', applicationId)
    .where('resource_owner_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Ending = OfApplication & { readonly actor: Actor }

/** Ends one authorization, as revoking its refresh token does. Must run in a transaction. Throws 404. */
export async function endAuthorization(
  tx: Handle,
  { id, applicationId, actor, now }: Ending & { readonly id: number },
): Promise<void> {
  const family = await tx.kysely
    .selectFrom('token_families')
    .select(['user_id', 'revoked_at'])
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .forUpdate()
    .executeTakeFirst()
  if (!family) throw notFound('The application has no such session.')
  if (family.revoked_at) return
  await revokeFamily(tx, now, id)
  await recordAudit(tx, now, { kind: 'tokens_revoked', actor, subjectId: family.user_id, applicationId })
}

/** Ends all tokens of an application. Must run in a transaction. Throws 404. */
export async function endAllAuthorizations(tx: Handle, { applicationId, actor, now }: Ending): Promise<void> {
  const { owner_id: subjectId } = await lockApplication(tx, applicationId)
  if ((await revokeTokensOf(tx, now, applicationId)) === 0) return
  await recordAudit(tx, now, { kind: 'tokens_revoked', actor, subjectId, applicationId, details: { which: 'all' } })
}
