import { beginSecondFactor, confirmSecondFactor, pendingEnrolment } from '@campus/intranet/access/second-factor'
import { endSessions, latestSessionId, startSession } from '@campus/intranet/access/sessions'
import type { Sealer } from '@campus/intranet/services/sealing/sealer'
import { TOTP } from 'otpauth'
import type { World } from './campus.ts'
import { personOf } from './people.ts'

/** A user with a second factor, the secret of their app, and their recovery codes. */
export async function protectedPerson(world: World, sealer: Sealer, values: Readonly<Record<string, unknown>> = {}) {
  const { id, login } = await personOf(world, values)
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
  const { secret, recoveryCodes } = await world.database.transaction(async (tx) => {
    const now = world.clock.now()
    await startSession(tx, now, id, { address: '192.0.2.1', userAgent: undefined }, { passed: ['password'] })
    const begun = { sealer, userId: id, sessionId: await latestSessionId(tx), now }
    await beginSecondFactor(tx, begun)
    const { secret = '' } = (await pendingEnrolment(tx, begun)) ?? {}
    const actor = { userId: id }
    const recoveryCodes = await confirmSecondFactor(tx, { ...begun, code: codeOf(secret), actor })
    await endSessions(tx, id)
    return { secret, recoveryCodes }
  })
  world.clock.advance(30)
  return { id, login, recoveryCodes, code: () => codeOf(secret) }
}
