import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextAttemptAt } from '@campus/engine/base/retry-schedule'
import { readRetryAfter } from '../../webhooks/schedule.ts'

const at = new Date('2026-03-02T10:00:00.000Z')
const secondsAfter = (time: Date | undefined) => time && (time.getTime() - at.getTime()) / 1000

describe('a retry schedule', () => {
  it('gives the delay after each attempt, and none after the last', () => {
    const delays = [1, 2, 3].map((attempts) =>
      secondsAfter(nextAttemptAt({ delaysSeconds: [5, 60] }, { attempts, at })),
    )
    assert.deepEqual(delays, [5, 60, undefined])
  })

  it('varies delays by its jitter, up and down', () => {
    const schedule = { delaysSeconds: [100], jitter: 0.2 }
    const delays = [0, 0.5, 1].map((chance) => secondsAfter(nextAttemptAt(schedule, { attempts: 1, at }, () => chance)))
    assert.deepEqual(delays, [80, 100, 120])
  })

  it('waits as long as was asked for, and never less than its own delay', () => {
    const after = (atLeastSeconds: number) =>
      secondsAfter(nextAttemptAt({ delaysSeconds: [60] }, { attempts: 1, at, atLeastSeconds }))
    assert.deepEqual([after(10), after(3600)], [60, 3600])
  })

  it('reads Retry-After as a number or a date, up to a day', () => {
    const cases = ['7', 'Mon, 02 Mar 2026 10:00:30 GMT', 'Mon, 02 Mar 2026 09:00:00 GMT', '999999', 'soon', undefined]
    assert.deepEqual(
      cases.map((header) => readRetryAfter(header, at)),
      [7, 30, 0, 86_400, undefined, undefined],
    )
  })
})
