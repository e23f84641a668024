import { noteUse } from '../consents.ts'
import { issueRefreshToken } from '../token-families.ts'
import { issueToken } from '../tokens.ts'
import type { Step } from './token-request.ts'

/** A token with which the application acts for a person, and one with which it gets the next. */
export const issueTokensForPerson: Step = async ({ tx, clock, client, presented, scopes, resource }) => {
  const { id: familyId, userId } = presented
  const applicationId = client.application.id
  const issued = await issueToken(tx, clock, { applicationId, resourceOwnerId: userId, familyId, scopes, resource })
  const refreshToken = await issueRefreshToken(tx, clock.now(), familyId)
  await noteUse(tx, clock.now(), userId, applicationId)
  return { granted: { ...issued, scopes, refreshToken } }
}
