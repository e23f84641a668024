import { message } from '../base/languages/say.ts'
import { hidesText } from '../base/text/hidden-text.ts'
import type { Handle } from '../database/database.ts'
import { lockRow } from '../database/lock-row.ts'
import { AnsweredError } from '../errors.ts'

/** The client of an authorization request is refused, in words for the person who is asked about it. */
export class ClientRefused extends AnsweredError {}

/** The client is refused although its request has no mistake. */
export class ClientUnavailable extends ClientRefused {}

/** Scopes that a client without a registration by the school may ask a person for. */
export const UNREGISTERED_SCOPES = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum', 'act'] as const

/** Maximum length of the name of such a client. */
export const MAX_CLIENT_NAME = 100
/** Maximum number of clients without a registration by the school that one person allows at a time. */
const MAX_CLIENTS = 50

/** Whether a client_id is the address of a metadata document. */
export const isDocumentAddress = (uid: string): boolean => uid.startsWith('https://')

/** Begins the client_id of a client that registered itself. */
export const SELF_REGISTERED = 'self-registered-'

/** Whether a client registered itself. */
export const isSelfRegistered = (uid: string): boolean => uid.startsWith(SELF_REGISTERED)

/** Whether the school has not registered the client of this client_id. Such a client gets tokens for /mcp alone. */
export const isUnregistered = (uid: string): boolean => isDocumentAddress(uid) || isSelfRegistered(uid)

/** Whether a value of a client's metadata is a name that can be shown to people. */
export const isClientName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.trim() !== '' &&
  name.isWellFormed() &&
  [...name].length <= MAX_CLIENT_NAME &&
  !/\p{Cc}/u.test(name) &&
  !hidesText(name)

/** Whether a list in a client's metadata is missing or includes the value. */
export const includesOptionally = (values: unknown, expected: string): boolean =>
  values === undefined || (Array.isArray(values) && values.includes(expected))

/**
 * Throws ClientRefused if a person has allowed too many clients to allow this one. Locks the person, so that clients that
 * are allowed at the same time are all counted.
 */
export async function refuseTooManyClients(tx: Handle, userId: number, uid: string): Promise<void> {
  await lockRow(tx, 'users', userId)
  const { count } = await tx.kysely
    .selectFrom('consents')
    .innerJoin('applications', 'applications.id', 'consents.application_id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('uid', '!=', uid)
    .where(({ eb, or }) => or([eb('uid', 'like', 'https://%'), eb('uid', 'like', `${SELF_REGISTERED}%`)]))
    .executeTakeFirstOrThrow()
  if (Number(count) < MAX_CLIENTS) return
  throw new ClientUnavailable(
    message('You may allow {most} applications that the school has not registered. Revoke one first.', {
      most: MAX_CLIENTS,
    }),
  )
}
