import { message } from '@campus/engine/base/languages/say'
import { hidesText } from '@campus/engine/base/text/hidden-text'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { AnsweredError } from '@campus/engine/errors'

/** Refuses the client of an authorization request, with a message for the person. */
export class ClientRefused extends AnsweredError {}

/** Refuses a client whose request is valid, such as one client too many. */
export class ClientUnavailable extends ClientRefused {}

export class TooManyClients extends ClientUnavailable {}

/** Scopes that a client may request if the school has not registered it. */
export const UNREGISTERED_SCOPES = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum', 'act'] as const

/** Maximum number of characters in the name of an unregistered client. */
export const MAX_CLIENT_NAME = 100
/** Maximum number of unregistered clients that one person allows at a time. */
const MAX_CLIENTS = 50

/**
 * Minimum time between two updates of `updated_at` at the use of an application. Each invalidates the cached tokens of the
 * application.
 */
export const NOTED_USE_MS = 12 * 3_600_000

/** Prefix of a client_id that is the address of a metadata document. */
export const DOCUMENT_PREFIX = 'https://'

export const isDocumentAddress = (uid: string): boolean => uid.startsWith(DOCUMENT_PREFIX)

/** Prefix of the client_id of a client that registered itself. */
export const SELF_REGISTERED_PREFIX = 'self-registered-'

export const isSelfRegistered = (uid: string): boolean => uid.startsWith(SELF_REGISTERED_PREFIX)

/** Reports whether the school has not registered a client. Such a client gets tokens for /mcp only. */
export const isUnregistered = (uid: string): boolean => isDocumentAddress(uid) || isSelfRegistered(uid)

/** Reports whether a value is a name that can be shown to people. */
export const isClientName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.trim() !== '' &&
  name.isWellFormed() &&
  [...name].length <= MAX_CLIENT_NAME &&
  !/\p{Cc}/u.test(name) &&
  !hidesText(name)

/** Reports whether a list in a client's metadata is absent or includes a value. */
export const isAbsentOrIncludes = (values: unknown, expected: string): boolean =>
  values === undefined || (Array.isArray(values) && values.includes(expected))

/**
 * Throws TooManyClients if the person has already allowed the maximum number of unregistered clients, this one not counted. Locks
 * the person's row, so that concurrent consents are all counted.
 */
export async function refuseTooManyClients(tx: Handle, userId: number, uid: string): Promise<void> {
  await lockRow(tx, 'users', userId)
  const { count } = await tx.kysely
    .selectFrom('consents')
    .innerJoin('applications', 'applications.id', 'consents.application_id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('uid', '!=', uid)
    .where(({ eb, or }) =>
      or([eb('uid', 'like', `${DOCUMENT_PREFIX}%`), eb('uid', 'like', `${SELF_REGISTERED_PREFIX}%`)]),
    )
    .executeTakeFirstOrThrow()
  if (Number(count) < MAX_CLIENTS) return
  throw new TooManyClients(
    message('You may allow {most} applications that the school has not registered. Revoke one first.', {
      most: MAX_CLIENTS,
    }),
  )
}
