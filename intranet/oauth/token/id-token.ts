import { OPENID_CLIENT, sectorOf } from '../openid/openid.ts'
import { OPENID } from '../openid/scopes.ts'
import { fixSector } from '../token-families.ts'
import type { Step } from './token-request.ts'

/** Makes the ID token for an application with the scope `openid` (OpenID Connect Core §3.1.3.3, §12.2). */
export const issueIdToken: Step = async ({ tx, clock, client, openid, presented, scopes, granted }) => {
  const { signIn, userId, nonce } = presented
  if (!scopes.includes(OPENID) || signIn === undefined) return {}
  const chosen = await tx.kysely
    .selectFrom('applications')
    .select(OPENID_CLIENT)
    .where('id', '=', client.application.id)
    .executeTakeFirstOrThrow()
  const sector = signIn.sector ?? sectorOf(chosen)
  if (signIn.sector === null) await fixSector(tx, presented.id, sector)
  const about = { ...signIn, sector, userId, scopes, nonce, accessToken: granted.token }
  return { granted: { ...granted, idToken: await openid.idToken(tx, clock.now(), chosen, about) } }
}
