import { randomUUID } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'

type Signed = {
  readonly userId: number
  readonly applicationId: number
  readonly sessionId: number
  readonly sector: string
}

/**
 * Records that a session signs its user in at an application, which hears when the session ends. Returns the `sid` of the
 * session. The caller has locked the session.
 */
export async function signInAt(tx: Handle, { userId, applicationId, sessionId, sector }: Signed): Promise<string> {
  const { sid } = await tx.kysely
    .insertInto('openid_sessions')
    .values({ sid: randomUUID(), session_id: sessionId, user_id: userId, application_id: applicationId, sector })
    .onConflict((conflict) => conflict.columns(['session_id', 'application_id']).doUpdateSet({ sector }))
    .returning('sid')
    .executeTakeFirstOrThrow()
  return sid
}

/** Reports whether an application knows a session by this id. */
export async function isSessionOf(handle: Handle, sid: string, sessionId: number): Promise<boolean> {
  const row = await handle.kysely
    .selectFrom('openid_sessions')
    .select('session_id')
    .where('sid', '=', sid)
    .executeTakeFirst()
  return row?.session_id === sessionId
}
