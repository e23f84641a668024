import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import type { Database } from '@campus/engine/database/database'

/** Statements and processor time of a piece of work. */
export type Work = {
  /** The texts of its statements, in their order. */
  readonly statements: readonly string[]
  /** How many passwords were hashed. */
  readonly hashes: number
}

/** Statements that requests share: the check for changes and the wake-up of background work. */
const SHARED = /changed_since|pg_notify/

/**
 * Counts what is done for one piece of work, be other work done at the same time or not: by the asynchronous context in which
 * statements are sent and hashes begun.
 */
export function workCounter({ statements }: Pick<Database, 'statements'>) {
  const current = new AsyncLocalStorage<{ statements: string[]; hashes: number }>()
  statements.listen((text) => {
    if (!SHARED.test(text)) current.getStore()?.statements.push(text)
    return undefined
  })
  const hook = createHook({
    init(_id, type) {
      const work = current.getStore()
      if (type === 'ARGON2REQUEST' && work) work.hashes += 1
    },
    trackPromises: false,
  } as Parameters<typeof createHook>[0]).enable()
  return {
    async count(work: () => PromiseLike<unknown>): Promise<Work> {
      const counted = { statements: [], hashes: 0 }
      await current.run(counted, async () => await work())
      return counted
    },
    stop: () => hook.disable(),
  }
}
