import { TOTP } from 'otpauth'
import type { Sealer } from '../../src/base/sealer.ts'
import { beginSecondFactor, confirmSecondFactor, pendingEnrolment } from '../../src/domain/access/second-factor.ts'
import type { World } from './campus.ts'
import { personOf } from './people.ts'

/** A user with a second factor, the secret of their app, and their recovery codes. */
export async function protectedPerson(world: World, sealer: Sealer, values: Readonly<Record<string, unknown>> = {}) {
  const { id, login } = await personOf(world, values)
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: world.clock.now().getTime() })
  const { secret, recoveryCodes } = await world.database.transaction(async (tx) => {
    const now = world.clock.now()
    await beginSecondFactor(tx, { sealer, userId: id, now })
    const { secret = '' } = (await pendingEnrolment(tx, { sealer, userId: id, now })) ?? {}
    const actor = { userId: id }
    const recoveryCodes = await confirmSecondFactor(tx, { sealer, userId: id, now, code: codeOf(secret), actor })
    return { secret, recoveryCodes }
  })
  world.clock.advance(30)
  return { id, login, recoveryCodes, code: () => codeOf(secret) }
}
