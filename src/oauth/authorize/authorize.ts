import type { Clock } from '../../base/clock.ts'
import { defined } from '../../base/defined.ts'
import type { Database, Handle } from '../../database/database.ts'
import { holdSession } from '../../domain/access/sessions.ts'
import { recordAudit } from '../../services/audit/audit.ts'
import { recordConsent } from '../consents.ts'
import { issueCode } from '../token-families.ts'
import {
  type AskingClient,
  type Attempt,
  AuthorizeError,
  AuthorizePageError,
  type RefusedAddress,
  type Step,
} from './attempt.ts'
import { findClient } from './client.ts'
import { requireConsent } from './consent.ts'
import { requirePerson } from './person.ts'
import { findCodeChallenge } from './pkce.ts'
import { findPrompts } from './prompt.ts'
import { findRedirectUri } from './redirect-uri.ts'
import { refuseRepeats } from './repeats.ts'
import { checkResponse } from './response.ts'
import { findScopes } from './scopes.ts'

/** The checks of an authorization request, in this order. What the first two refuse never leaves for another address. */
const STEPS: readonly Step[] = [
  findClient,
  findRedirectUri,
  refuseRepeats,
  checkResponse,
  findScopes,
  findCodeChallenge,
  findPrompts,
  requirePerson,
  requireConsent,
]

type Dependencies = { readonly baseUrl: string; readonly database: Database; readonly clock: Clock }

/** Who asks for what, and what the person has answered to it. */
type Request = Pick<Attempt, 'asked' | 'userId' | 'sessionId' | 'hasSignedInAgain' | 'decision'> & {
  /** The address that the person's answer came from. */
  readonly address: string
}

type FoundLater = Omit<Attempt, keyof Request | 'handle'>

/** How a request for authorization goes on. */
export type Ending =
  | { readonly kind: 'fault'; readonly message: string; readonly refused: RefusedAddress | undefined }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'sign-in' }
  | {
      readonly kind: 'consent'
      readonly client: AskingClient
      readonly scopes: readonly string[]
      readonly redirectUri: string
    }

/** Takes a request through the steps (RFC 6749 §4.1.1), up to a code or to what stands before it. */
export async function authorize(dependencies: Dependencies, request: Request): Promise<Ending> {
  // The steps fill in the rest, each for those after it.
  let attempt: Attempt = { ...request, handle: dependencies.database, ...({} as FoundLater) }
  try {
    for (const step of STEPS) {
      const { ask, ...found } = await step(attempt)
      if (ask) return asking(ask, attempt)
      attempt = { ...attempt, ...found }
    }
    const code = await grantCode(dependencies, attempt, request.address)
    return code === undefined ? asking('sign-in', attempt) : answer(dependencies, attempt, { code })
  } catch (error) {
    if (error instanceof AuthorizePageError) return { kind: 'fault', message: error.message, refused: error.refused }
    if (!(error instanceof AuthorizeError)) throw error
    if (error.error === 'access_denied')
      await recordAnswer(dependencies.database, dependencies, attempt, request.address)
    return answer(dependencies, attempt, { error: error.error, error_description: error.message })
  }
}

function asking(question: 'sign-in' | 'consent', { client, scopes, redirectUri }: Attempt): Ending {
  return question === 'sign-in' ? { kind: 'sign-in' } : { kind: 'consent', client, scopes, redirectUri }
}

/** Undefined where the session has ended meanwhile. */
function grantCode(dependencies: Dependencies, attempt: Attempt, address: string): Promise<string | undefined> {
  const { database, clock } = dependencies
  const { client, scopes, redirectUri, codeChallenge, asked } = attempt
  const grant = { userId: defined(attempt.userId), applicationId: client.id, scopes }
  return database.transaction(async (tx) => {
    if (!(await holdSession(tx, defined(attempt.sessionId)))) return undefined
    const now = clock.now()
    if (attempt.decision === 'allow') {
      await recordConsent(tx, now, grant)
      await recordAnswer(tx, dependencies, attempt, address)
    }
    return issueCode(tx, now, { ...grant, redirectUri: asked.get('redirect_uri') ? redirectUri : null, codeChallenge })
  })
}

/** What the person answered, for them to see later. */
async function recordAnswer(handle: Handle, { clock }: Dependencies, attempt: Attempt, address: string): Promise<void> {
  const { decision, userId, client, scopes } = attempt
  if (decision === undefined || userId === undefined) return
  await recordAudit(handle, clock.now(), {
    kind: decision === 'allow' ? 'consent_given' : 'consent_denied',
    actor: { userId, address },
    subjectId: userId,
    applicationId: client.id,
    details: { scopes: scopes.join(', ') },
  })
}

/** The redirect back, with the application's state as it came, and with who answers (RFC 9207) where it wants that. */
function answer({ baseUrl }: Dependencies, attempt: Attempt, values: Readonly<Record<string, string>>): Ending {
  const { redirectUri, asked, client } = attempt
  const state = asked.get('state')
  const query = new URLSearchParams({
    ...values,
    ...(state === null ? {} : { state }),
    ...(client.addsIssuer ? { iss: baseUrl } : {}),
  })
  return { kind: 'redirect', to: `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}` }
}
