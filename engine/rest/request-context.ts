import type { ActionInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import type { Caller } from '../http/caller.ts'
import type { Viewer } from './declare/viewer.ts'
import type { Engine } from './engine.ts'

/** For whom and when something is read or written, by which engine, and where its statements are sent. */
export type RequestContext = Viewer & {
  readonly engine: Engine
  readonly handle: Handle
  /** Whether what it reads may be old, so that nothing of it is cached. */
  readonly isStale?: boolean
}

/** Context of a write. Its handle is the transaction. */
export type WriteContext = RequestContext & Pick<ActionInput, 'ownOnly'>

/** As of now; outside of a transaction unless its handle is given. */
export const requestContext = (engine: Engine, caller: Caller, handle: Handle = engine.database): RequestContext => ({
  engine,
  caller,
  now: engine.clock.now(),
  handle,
})
