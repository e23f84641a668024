import type { Handle } from '@campus/engine/database/database'
import { renewKey } from '../../access/sessions.ts'
import type { PersonPageContext } from '../page-context.ts'

/** Runs a transaction that also renews the session's key, so that copies of its former cookie stop working. */
export async function renewingKey<T>(context: PersonPageContext, work: (tx: Handle) => Promise<T>): Promise<T> {
  const { result, key } = await context.dependencies.database.transaction(async (tx) => ({
    result: await work(tx),
    key: await renewKey(tx, context.session.id),
  }))
  context.setKey(key)
  return result
}
