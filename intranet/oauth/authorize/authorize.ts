import type { Clock } from '@campus/engine/base/clock'
import { defined } from '@campus/engine/base/defined'
import type { Message } from '@campus/engine/base/languages/say'
import type { Database, Handle } from '@campus/engine/database/database'
import { namedScopes } from '../../access/scopes.ts'
import { holdSession } from '../../access/sessions.ts'
import { recordAudit } from '../../services/audit/audit.ts'
import type { ClientDocuments } from '../client-documents/client-documents.ts'
import { type Granted, storeDocumentClient } from '../client-documents/document-client.ts'
import { recordConsent } from '../consents.ts'
import { type OpenId, sectorOf } from '../openid/openid.ts'
import { OPENID } from '../openid/scopes.ts'
import { signInAt } from '../openid/sessions.ts'
import { noteSelfRegisteredUse } from '../self-registered-client.ts'
import { issueCode } from '../token-families.ts'
import type { TokenLimits } from '../token-limits.ts'
import {
  ClientRefused,
  ClientUnavailable,
  isDocumentAddress,
  isSelfRegistered,
  TooManyClients,
} from '../unregistered-clients.ts'
import { withParameters } from '../with-parameters.ts'
import {
  type AuthorizationRequest,
  AuthorizeError,
  AuthorizePageError,
  type OAuthErrorName,
  type RefusedAddress,
  type RequestingClient,
  type Step,
} from './authorization-request.ts'
import { findClient, NOT_STORED } from './client.ts'
import { findOpenId } from './openid.ts'
import {
  checkResponse,
  findCodeChallenge,
  findPrompts,
  findResource,
  findScopes,
  isFormPost,
  refuseRepeats,
} from './parameters.ts'
import { mayRedirectError, requireConsent, requirePerson, withholdScopes } from './person.ts'
import { findRedirectUri } from './redirect-uri.ts'

/** The checks of an authorization request, in order. Refusals of the first two never redirect. */
const STEPS: readonly Step[] = [
  findClient,
  findRedirectUri,
  refuseRepeats,
  checkResponse,
  findResource,
  findScopes,
  findCodeChallenge,
  findPrompts,
  findOpenId,
  requirePerson,
  requireConsent,
  withholdScopes,
]

type Dependencies = {
  readonly baseUrl: string
  readonly database: Database
  readonly clock: Clock
  readonly openid: OpenId
  readonly documents: Pick<ClientDocuments, 'find'>
  readonly limits: Pick<TokenLimits, 'spendCode'>
}

/** An authorization request with the person's decision. */
type Request = Pick<
  AuthorizationRequest,
  | 'asked'
  | 'userId'
  | 'sessionId'
  | 'authenticatedAt'
  | 'authenticatedBy'
  | 'hasSignedInAgain'
  | 'carriedSubject'
  | 'address'
  | 'decision'
  | 'ticked'
>

type FoundLater = Omit<AuthorizationRequest, keyof Request | keyof Given>

type Given = Pick<AuthorizationRequest, 'baseUrl' | 'openid' | 'documents' | 'handle' | 'now'>

/** Parameters of a response that the browser posts to the redirect URI. */
export type FormPost = {
  readonly kind: 'form-post'
  readonly to: string
  readonly parameters: URLSearchParams
  readonly client: RequestingClient
  /** Whether the request has `prompt=none`, which an application may send in a hidden frame. */
  readonly isSilent: boolean
}

export type Response = { readonly kind: 'redirect'; readonly to: string } | FormPost

export type Ending =
  | {
      readonly kind: 'fault'
      readonly text: Message
      readonly refused: RefusedAddress | undefined
      readonly isMistake: boolean
      /** Whether the person has to revoke an application first. */
      readonly needsRevocation?: boolean
    }
  | Response
  | {
      /** An error that is shown to the user, who decides whether the application gets it. */
      readonly kind: 'shown-error'
      readonly error: OAuthErrorName
      readonly client: RequestingClient
      readonly redirectUri: string
      readonly response: Response
    }
  | { readonly kind: 'sign-in'; readonly expectedSubject: string | undefined }
  | {
      readonly kind: 'consent'
      readonly client: RequestingClient
      readonly scopes: readonly string[]
      readonly redirectUri: string
      /** Whether a refusal of the user is sent to the application. */
      readonly learnsRefusal: boolean
    }

/** Takes a request through the steps (RFC 6749 §4.1.1), up to a code, a sign-in or a consent. */
export async function authorize(dependencies: Dependencies, received: Request): Promise<Ending> {
  const { baseUrl, openid, documents, clock, database } = dependencies
  const given: Given = { baseUrl, openid, documents, handle: database, now: clock.now() }
  // biome-ignore lint/plugin: the steps find the rest, each before those that read it
  let request: AuthorizationRequest = { ...received, ...given, ...({} as FoundLater) }
  try {
    for (const step of STEPS) {
      const { ask, ...found } = await step(request)
      if (ask) return await asking(ask, request)
      request = { ...request, ...found }
    }
    await spendCode(dependencies, request)
    const code = await grantCode(dependencies, request)
    return code === undefined ? await asking('sign-in', request) : answer(dependencies, request, { code })
  } catch (error) {
    if (error instanceof AuthorizePageError)
      return { kind: 'fault', text: error.text, refused: error.refused, isMistake: true }
    if (error instanceof ClientRefused)
      return {
        kind: 'fault',
        text: error.text,
        refused: undefined,
        isMistake: !(error instanceof ClientUnavailable),
        needsRevocation: error instanceof TooManyClients,
      }
    if (!(error instanceof AuthorizeError)) throw error
    if (error.error === 'access_denied') await recordAnswer(dependencies.database, dependencies, request)
    const response = answer(dependencies, request, { error: error.error, error_description: error.message })
    if (await mayRedirectError(request)) return response
    const { client, redirectUri } = request
    return { kind: 'shown-error', error: error.error, client, redirectUri, response }
  }
}

async function asking(question: 'sign-in' | 'consent', request: AuthorizationRequest): Promise<Ending> {
  const { client, scopes, redirectUri, expectedSubject } = request
  if (question === 'sign-in') return { kind: 'sign-in', expectedSubject }
  return { kind: 'consent', client, scopes, redirectUri, learnsRefusal: await mayRedirectError(request) }
}

/** Throws `temporarily_unavailable`, since a redirect cannot carry 429 (RFC 6749 §4.1.2.1). */
async function spendCode({ limits }: Dependencies, { userId, client }: AuthorizationRequest): Promise<void> {
  const seconds = await limits.spendCode(defined(userId), client.id)
  if (seconds === undefined) return
  throw new AuthorizeError(
    'temporarily_unavailable',
    `There were too many authorizations for this person. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  )
}

/**
 * Returns the id of the client's application. If the client has a metadata document, creates or updates its
 * application. Throws ClientRefused.
 */
async function applicationIdOf(tx: Handle, client: RequestingClient, granted: Granted): Promise<number> {
  if (isDocumentAddress(client.uid)) return storeDocumentClient(tx, client, granted)
  return isSelfRegistered(client.uid) ? noteSelfRegisteredUse(tx, client, granted) : client.id
}

/** Issues a code. Returns undefined if the session has ended meanwhile. */
function grantCode(dependencies: Dependencies, request: AuthorizationRequest): Promise<string | undefined> {
  const { database, clock } = dependencies
  const { client, scopes, resource, redirectUri, codeChallenge, nonce, asked, address } = request
  const sessionId = defined(request.sessionId)
  const userId = defined(request.userId)
  return database.transaction(async (tx) => {
    const now = clock.now()
    const applicationId = await applicationIdOf(tx, client, { userId, now, actor: { userId, address } })
    const grant = { userId, applicationId, scopes }
    if (!(await holdSession(tx, sessionId))) return undefined
    if (request.decision === 'allow') {
      await recordConsent(tx, now, grant)
      await recordAnswer(tx, dependencies, { ...request, client: { ...client, id: applicationId } })
    }
    return issueCode(tx, now, {
      ...grant,
      resource,
      redirectUri: asked.get('redirect_uri') ? redirectUri : null,
      codeChallenge,
      nonce,
      signIn: scopes.includes(OPENID)
        ? await signInOf(tx, { ...request, ...grant, sessionId, sector: sectorOf(client, redirectUri) })
        : undefined,
    })
  })
}

type Signed = Pick<AuthorizationRequest, 'authenticatedAt' | 'authenticatedBy'> &
  Readonly<Record<'userId' | 'applicationId' | 'sessionId', number>> & { readonly sector: string }

/** Records the sign-in that the ID tokens describe, so that the application can be notified when the session ends. */
async function signInOf(tx: Handle, { authenticatedAt, authenticatedBy, ...signed }: Signed) {
  const { sector } = signed
  return { sid: await signInAt(tx, signed), sector, authenticatedAt: defined(authenticatedAt), authenticatedBy }
}

async function recordAnswer(
  handle: Handle,
  { clock }: Dependencies,
  { decision, userId, client, scopes, address }: AuthorizationRequest,
): Promise<void> {
  if (decision === undefined || userId === undefined) return
  await recordAudit(handle, clock.now(), {
    kind: decision === 'allow' ? 'consent_given' : 'consent_denied',
    actor: { userId, address },
    subjectId: userId,
    applicationId: client.id === NOT_STORED ? null : client.id,
    details: { scopes: namedScopes(scopes).join(', ') },
  })
}

/**
 * Returns the response with the `state` of the request. It has `iss` (RFC 9207) if the application or a request for an ID
 * token asks for it.
 */
function answer(
  { baseUrl }: Dependencies,
  request: AuthorizationRequest,
  values: Readonly<Record<string, string>>,
): Response {
  const { redirectUri, asked, client } = request
  const state = asked.get('state')
  const parameters = new URLSearchParams({
    ...values,
    ...(state === null ? {} : { state }),
    ...(client.addsIssuer || isOfOpenId(asked) ? { iss: baseUrl } : {}),
  })
  if (isFormPost(request)) {
    return { kind: 'form-post', to: redirectUri, parameters, client, isSilent: asked.get('prompt') === 'none' }
  }
  return { kind: 'redirect', to: withParameters(redirectUri, parameters) }
}

/** Reports whether a request, valid or not, asks for an ID token. */
const isOfOpenId = (asked: URLSearchParams) => (asked.get('scope') ?? '').split(' ').includes(OPENID)
