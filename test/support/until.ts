import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

const MAX_WAIT_MS = 60_000

/** Looks again until it is so. Fails after a minute. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + MAX_WAIT_MS; !(await isTrue()); await wait(20))
    assert.ok(performance.now() < end, `not so within ${MAX_WAIT_MS} ms: ${isTrue}`)
}
