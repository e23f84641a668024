import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMilliseconds } from '../../base/backoff.ts'

const LIMITS = { first: 100, max: 5_000 }

test('a pause doubles with each attempt, up to the limit', () => {
  const maxLength = [0, 1, 2, 5, 6, 1_000_000].map((attempt) => backoffMilliseconds(attempt, LIMITS, () => 1))
  assert.deepEqual(maxLength, [100, 200, 400, 3_200, 5_000, 5_000])
})

test('chance takes off up to a half', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((chance) => backoffMilliseconds(1, LIMITS, () => chance)),
    [100, 150, 200],
  )
})
