import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asShown } from './as-shown.ts'

const passes = (answer: unknown, shown: unknown) => assert.deepEqual(asShown(answer, shown), shown)
const fails = (answer: unknown, shown: unknown) => assert.notDeepEqual(asShown(answer, shown), shown)

test('a record may have more than is shown, and must have all that is', () => {
  passes({ id: 1, mark: null }, { mark: null })
  fails({ id: 1 }, { mark: null })
  fails({ id: 1 }, { id: '1' })
  fails({ user: { id: 1 } }, { user: { id: 2 } })
  fails({ id: 1 }, [])
})

test('a list is shown whole and in its order', () => {
  passes([{ id: 1 }, { id: 2, name: 'b' }], [{ id: 1 }, { id: 2 }])
  fails([{ id: 1 }, { id: 2 }], [{ id: 1 }])
  fails([{ id: 1 }], [{ id: 1 }, { id: 2 }])
  fails([1, 2], [2, 1])
})

test('… is something, and never nothing', () => {
  passes({ at: '2026-01-15T09:00:00Z', seconds: 7 }, { at: '…-01-15T09:00:00Z', seconds: '…' })
  for (const nothing of [null, '', undefined, {}]) fails({ at: nothing }, { at: '…' })
  fails({ at: '2026-02-15T09:00:00Z' }, { at: '…-01-15T09:00:00Z' })
  fails({ at: '2026-01-15T09:00:00Z' }, { at: '2026-01-15T09:00:00Z…' })
})
