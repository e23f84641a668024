import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '@campus/engine/base/clock'
import { Batches } from '@campus/engine/database/batches'
import type { Database, Handle } from '@campus/engine/database/database'
import { type JsonRow, jsonRows, jsonRowsText } from '@campus/engine/database/json-rows'
import type { CallingApplication } from '@campus/engine/http/caller'
import type { FastifyRequest } from 'fastify'
import { type InferResult, sql } from 'kysely'
import { CALLING_APPLICATION, callingApplication } from './calling-application.ts'
import { digestOf } from './digests.ts'
import { invalidClient, invalidRequest, suspendedClient } from './oauth-errors.ts'
import type { Parameters } from './parameters.ts'

/** An application that authenticated with its secret, or a public one that named itself. */
export type Client = {
  readonly application: CallingApplication
  readonly isConfidential: boolean
  /** Scopes that it may request. */
  readonly scopes: readonly string[]
  /** End of the presented secret. Undefined if it has none. */
  readonly secretValidUntil: Date | undefined
  readonly credentials: Credentials
  /** Version of the row that authenticated the client. It changes with the row. */
  readonly version: string
}

/** Parameters with a client's credentials (RFC 6749 §2.3.1). */
export const CLIENT_PARAMETERS = ['client_id', 'client_secret'] as const

export type ClientParameters = Parameters<(typeof CLIENT_PARAMETERS)[number]>

/** Applications by `client_id`. */
export type Applications = Batches<string, ApplicationRow | undefined>

type Dependencies = { readonly applications: Applications; readonly clock: Clock }

/** Authenticates the client and stores it on the request. Throws 401 invalid_client. */
export async function authenticateClient(
  { applications, clock }: Dependencies,
  request: FastifyRequest,
  parameters: ClientParameters,
): Promise<Client> {
  const { authorization = '' } = request.headers
  const usedBasic = /^basic( |$)/i.test(authorization)
  const credentials = usedBasic ? basicCredentials(authorization) : parameterCredentials(parameters)
  if (credentials && usedBasic) refuseOtherCredentials(credentials, parameters)
  const client = credentials && (await findClient((id) => applications.ask(id), clock.now(), credentials))
  if (!client) throw invalidClient({ usedBasic })
  if (client.isSuspended) throw suspendedClient()
  request.application = client.application
  return client
}

/**
 * Locks the application until the transaction ends, unless its credentials have changed, so that nothing is granted under an
 * ending secret. Throws 401 invalid_client.
 */
export async function holdClient(tx: Handle, now: Date, { credentials }: Client): Promise<void> {
  const client = await findClient((id) => holdApplication(tx, id), now, credentials)
  if (!client) throw invalidClient({ usedBasic: false })
  if (client.isSuspended) throw suspendedClient()
}

type Found = Client & { readonly isSuspended: boolean }

type Credentials = { readonly id: string; readonly secret: string | undefined }

function parameterCredentials({ client_id: id, client_secret: secret }: ClientParameters): Credentials | undefined {
  return id === undefined ? undefined : { id, secret }
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. An empty secret counts as absent. */
function basicCredentials(header: string): Credentials | undefined {
  const text = Buffer.from(header.slice('basic '.length), 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  try {
    return { id: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) || undefined }
  } catch {
    return undefined
  }
}

const formDecode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/** RFC 6749 §2.3 forbids two methods at once. The same credentials twice are accepted. */
function refuseOtherCredentials(basic: Credentials, parameters: ClientParameters): void {
  const { client_id: id = basic.id, client_secret: secret = basic.secret } = parameters
  if (id !== basic.id || secret !== basic.secret) {
    throw invalidRequest('The Authorization header and the parameters name different client credentials.')
  }
}

const NO_DIGEST = '0'.repeat(64)

const digestIn = (hex: string | null | undefined) => Buffer.from(hex ?? NO_DIGEST, 'hex')

/** An unknown client takes the same steps as a wrong secret, so that neither answer nor time differs. */
async function findClient(
  read: (id: string) => Promise<ApplicationRow | undefined>,
  now: Date,
  credentials: Credentials,
): Promise<Found | undefined> {
  const { id, secret } = credentials
  const row = isPrintable(id) ? await read(id) : undefined
  const digest = digestOf(secret ?? '')
  const isCurrent = timingSafeEqual(digestIn(row?.secret_digest), digest)
  const isPrevious = timingSafeEqual(digestIn(row?.previous_secret_digest), digest)
  const previousUntil = row?.previous_secret_valid_until && new Date(row.previous_secret_valid_until)
  if (!row) return undefined
  const client = {
    application: callingApplication(row),
    isConfidential: row.confidential,
    scopes: row.scopes,
    credentials,
    version: row.version,
    isSuspended: row.suspended_at !== null,
  }
  if (!row.confidential) return secret === undefined ? { ...client, secretValidUntil: undefined } : undefined
  if (secret === undefined) return undefined
  if (isCurrent) return { ...client, secretValidUntil: undefined }
  if (isPrevious && previousUntil && previousUntil > now) return { ...client, secretValidUntil: previousUntil }
  return undefined
}

/** Reports whether a text may be the id of an application (RFC 6749 appendix A.1). PostgreSQL rejects some other texts. */
export const isPrintable = (text: string) => /^[\x20-\x7e]+$/.test(text)

/** Reads all applications that are asked for at a time by one statement. */
export function readApplications(database: Database): Applications {
  const text = jsonRowsText(applicationsQuery(database))
  return new Batches(async (uids) => {
    const rows = await jsonRows<Selected>(database, text, [uids])
    const found = new Map(rows.map((row) => [row.uid, row]))
    return uids.map((uid) => found.get(uid))
  })
}

async function holdApplication(tx: Handle, uid: string): Promise<ApplicationRow | undefined> {
  const [row] = await jsonRows<Selected>(tx, jsonRowsText(applicationsQuery(tx).forShare('applications')), [[uid]])
  return row
}

type ApplicationRow = JsonRow<Selected>
type Selected = InferResult<ReturnType<typeof applicationsQuery>>[number]

const applicationsQuery = ({ kysely }: Handle) =>
  kysely
    .selectFrom('applications')
    .select(CALLING_APPLICATION)
    .select(['scopes', 'confidential', 'previous_secret_valid_until', 'suspended_at'])
    .select([
      sql<string | null>`encode(secret_digest, 'hex')`.as('secret_digest'),
      sql<string | null>`encode(previous_secret_digest, 'hex')`.as('previous_secret_digest'),
      sql<string>`applications.xmin::text`.as('version'),
    ])
    .where(sql<boolean>`uid = any($1)`)
