import type { ActionInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import type { Caller } from '../http/caller.ts'
import type { Viewer } from './declare/viewer.ts'
import type { Engine } from './engine.ts'

export type RequestContext = Viewer & {
  readonly engine: Engine
  readonly handle: Handle
  /** Results may be stale, and are not cached. */
  readonly isStale?: boolean
}

/** The handle of a write is a transaction. */
export type WriteContext = RequestContext & Pick<ActionInput, 'ownOnly'>

/** Returns a context of now, without a transaction unless `handle` is one. */
export const requestContext = (engine: Engine, caller: Caller, handle: Handle = engine.database): RequestContext => ({
  engine,
  caller,
  now: engine.clock.now(),
  handle,
})
