import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { once } from '../../base/once.ts'

describe('once', () => {
  it('makes a value at the first call and returns the same value from then on', async () => {
    let made = 0
    const next = once(() => ({ number: ++made }))
    const later = once(async () => ++made)
    assert.equal(made, 0)
    assert.equal(next(), next())
    assert.equal(later(), later())
    assert.equal(await later(), 2)
  })

  it('makes the value again after a failure', async () => {
    let calls = 0
    const failOnce = <T>(value: T): T => {
      calls += 1
      if (calls === 1) throw new Error('too many open files')
      return value
    }
    const now = once(() => failOnce('loaded'))
    assert.throws(now, { message: 'too many open files' })
    assert.equal(now(), 'loaded')

    calls = 0
    const later = once(async () => failOnce('loaded'))
    const [first, second] = [later(), later()]
    assert.equal(first, second)
    await assert.rejects(first, { message: 'too many open files' })
    assert.equal(await later(), 'loaded')
    assert.equal(await later(), 'loaded')
    assert.equal(calls, 2)
  })
})
