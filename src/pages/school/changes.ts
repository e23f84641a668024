import { findSession } from '../../domain/access/sessions.ts'
import { page, watchOf } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { callerOf } from './ask.ts'

/** That a session has ended is noticed after so long at the latest. */
const LOOK_AGAIN_MS = 10_000

/** /changes?of=/v2/campus/1/locations: what scripts of pages watch, as the API shows it to the person. */
export const changes = page({
  path: '/changes',
  access: 'signed-in',
  hasHead: false,
  show: (context) =>
    watchOf({ caller: callerOf(context), address: context.query.text('of'), holder: sessionHolder(context) }),
})

function sessionHolder(context: PersonPageContext) {
  const { dependencies, key, session } = context
  const { database, clock } = dependencies
  const caller = callerOf(context)
  let lookedAt = performance.now()
  let version = database.changes.versionOf(['users'])
  let isActive = true
  return {
    key: `session ${session.id}`,
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
