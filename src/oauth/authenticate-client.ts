import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database, Handle } from '../database/database.ts'
import type { CallingApplication } from '../http/caller.ts'
import { CALLING_APPLICATION, callingApplication } from './calling-application.ts'
import { digestOf } from './digests.ts'
import { invalidClient, invalidRequest, suspendedClient } from './oauth-errors.ts'
import type { Parameters } from './parameters.ts'

/** An application that has proved itself with its secret, or has only named itself since it cannot keep one. */
export type Client = {
  readonly application: CallingApplication
  /** Whether it has a secret. */
  readonly isConfidential: boolean
  /** The scopes that it may ask for. */
  readonly scopes: readonly string[]
  /** When the secret that it presented ends; undefined when that has no end. */
  readonly secretValidUntil: Date | undefined
  readonly credentials: Credentials
}

/** The parameters that carry a client's credentials (RFC 6749 §2.3.1). */
export const CLIENT_PARAMETERS = ['client_id', 'client_secret'] as const

type ClientParameters = Parameters<(typeof CLIENT_PARAMETERS)[number]>

/** Proves which application calls, and remembers it on the request. Throws 401 invalid_client. */
export async function authenticateClient(
  { database, clock }: { database: Database; clock: Clock },
  request: FastifyRequest,
  parameters: ClientParameters,
): Promise<Client> {
  const { authorization = '' } = request.headers
  const triedBasic = /^basic( |$)/i.test(authorization)
  const credentials = triedBasic ? basicCredentials(authorization) : parameterCredentials(parameters)
  if (credentials && triedBasic) refuseOtherCredentials(credentials, parameters)
  const client = credentials && (await findClient(database, clock.now(), credentials))
  if (!client) throw invalidClient({ triedBasic })
  if (client.isSuspended) throw suspendedClient()
  request.application = client.application
  return client
}

/**
 * Holds the application as it has proved itself until the transaction ends, so that nothing is granted under a secret that
 * is just ending. Throws 401 invalid_client.
 */
export async function holdClient(tx: Handle, now: Date, { credentials }: Client): Promise<void> {
  const client = await findClient(tx, now, credentials, { holds: true })
  if (!client) throw invalidClient({ triedBasic: false })
  if (client.isSuspended) throw suspendedClient()
}

type Found = Client & { readonly isSuspended: boolean }

type Credentials = { readonly id: string; readonly secret: string | undefined }

function parameterCredentials({ client_id: id, client_secret: secret }: ClientParameters): Credentials | undefined {
  return id === undefined ? undefined : { id, secret }
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function basicCredentials(header: string): Credentials | undefined {
  const text = Buffer.from(header.slice('basic '.length), 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  try {
    return { id: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) }
  } catch {
    return undefined
  }
}

const formDecode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/** RFC 6749 §2.3 forbids two ways of authentication at once; saying the same thing twice does no harm. */
function refuseOtherCredentials(basic: Credentials, parameters: ClientParameters): void {
  const { client_id: id = basic.id, client_secret: secret = basic.secret } = parameters
  if (id !== basic.id || secret !== basic.secret) {
    throw invalidRequest('The Authorization header and the parameters name different client credentials.')
  }
}

const NO_DIGEST = Buffer.alloc(32)

/** An unknown client takes the same steps as a wrong secret, so that neither answer nor time tells them apart. */
async function findClient(
  handle: Handle,
  now: Date,
  credentials: Credentials,
  { holds = false } = {},
): Promise<Found | undefined> {
  const { id, secret } = credentials
  const row = isPrintable(id) ? await readApplication(handle, id, holds) : undefined
  const digest = digestOf(secret ?? '')
  const isCurrent = timingSafeEqual(row?.secret_digest ?? NO_DIGEST, digest)
  const isPrevious = timingSafeEqual(row?.previous_secret_digest ?? NO_DIGEST, digest)
  const previousUntil = row?.previous_secret_valid_until
  if (!row) return undefined
  const client = {
    application: callingApplication(row),
    isConfidential: row.confidential,
    scopes: row.scopes,
    credentials,
    isSuspended: row.suspended_at !== null,
  }
  if (!row.confidential) return secret === undefined ? { ...client, secretValidUntil: undefined } : undefined
  if (secret === undefined) return undefined
  if (isCurrent) return { ...client, secretValidUntil: undefined }
  if (isPrevious && previousUntil && previousUntil > now) return { ...client, secretValidUntil: previousUntil }
  return undefined
}

/** Whether a text may be the id of an application (RFC 6749 appendix A.1); the database cannot even be asked about some of the rest. */
export const isPrintable = (text: string) => /^[\x20-\x7e]+$/.test(text)

const readApplication = (handle: Handle, uid: string, holds: boolean) =>
  handle.kysely
    .selectFrom('applications')
    .select(CALLING_APPLICATION)
    .select(['scopes', 'confidential', 'secret_digest', 'previous_secret_digest', 'previous_secret_valid_until'])
    .select('suspended_at')
    .where('uid', '=', uid)
    .$if(holds, (query) => query.forShare('applications'))
    .executeTakeFirst()
