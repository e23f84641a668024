import type { Clock } from '@campus/engine/base/clock'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { holdSession } from '../access/sessions.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { ownApplication } from './applications/own.ts'
import { hasConsented, noteUse, recordConsent } from './consents.ts'
import { type IssuedToken, issueToken } from './tokens.ts'

type OwnerTokenInput = {
  /** An application of the user. */
  readonly applicationId: number
  readonly userId: number
  readonly sessionId: number
  /** Whether the token acts for the owner rather than for the application. */
  readonly actsForOwner: boolean
  readonly actor: Actor
}

/**
 * Issues a token of an application to its owner, with all of its scopes. A token that acts for the owner is recorded as a
 * consent, which the owner may withdraw. Must run in a transaction. Throws 404, and 422 if the session has ended meanwhile.
 */
export async function issueTokenToOwner(
  tx: Handle,
  clock: Clock,
  { applicationId, userId, sessionId, actsForOwner, actor }: OwnerTokenInput,
): Promise<IssuedToken & { readonly application: string; readonly scopes: readonly string[] }> {
  if (!(await holdSession(tx, sessionId))) throw unprocessable({ base: ['Your session has ended; sign in again.'] })
  const { name, scopes } = await ownApplication(tx, userId, applicationId)
  if (actsForOwner) await consentTo(tx, clock.now(), { userId, applicationId, scopes, actor })
  const resourceOwnerId = actsForOwner ? userId : null
  const issued = await issueToken(tx, clock, { applicationId, resourceOwnerId, scopes })
  return { ...issued, application: name, scopes }
}

type Consent = Pick<OwnerTokenInput, 'userId' | 'applicationId' | 'actor'> & { readonly scopes: readonly string[] }

async function consentTo(tx: Handle, now: Date, { userId, applicationId, scopes, actor }: Consent): Promise<void> {
  if (!(await hasConsented(tx, userId, applicationId, scopes))) {
    await recordConsent(tx, now, { userId, applicationId, scopes })
    const details = { scopes: scopes.join(', ') }
    await recordAudit(tx, now, { kind: 'consent_given', actor, subjectId: userId, applicationId, details })
  }
  await noteUse(tx, now, userId, applicationId)
}
