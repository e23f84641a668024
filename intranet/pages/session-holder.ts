import type { StreamHolder } from '@campus/engine/changes/streams/streams'
import { findSession } from '../access/sessions.ts'
import { callerOf } from './actor.ts'
import type { PersonPageContext } from './page-context.ts'

/** Maximum time until the end of a session is noticed. */
const LOOK_AGAIN_MS = 10_000

/** Lasts as long as the session of the page. */
export function sessionHolder(context: PersonPageContext): StreamHolder {
  const { dependencies, key, session } = context
  const { database, clock } = dependencies
  const caller = callerOf(context)
  let lookedAt = performance.now()
  let version = database.changes.versionOf(['users'])
  let isActive = true
  return {
    key: `session ${session.id}`,
    application: undefined,
    person: `user ${caller.resourceOwnerId}`,
    async current() {
      const now = database.changes.versionOf(['users'])
      if (isActive && (now !== version || performance.now() - lookedAt >= LOOK_AGAIN_MS)) {
        ;[lookedAt, version] = [performance.now(), now]
        isActive = (await findSession(database, clock.now(), key)).session?.id === session.id
      }
      return isActive ? caller : undefined
    },
  }
}
