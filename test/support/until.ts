import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** Looks again until it is so. Fails after a minute, or another time in milliseconds. */
export async function until(isTrue: () => boolean | Promise<boolean>, maxWaitMs = 60_000): Promise<void> {
  for (const end = performance.now() + maxWaitMs; !(await isTrue()); await wait(20))
    assert.ok(performance.now() < end, `not so within ${maxWaitMs} ms: ${isTrue}`)
}
