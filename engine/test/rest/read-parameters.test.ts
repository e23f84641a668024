import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorsInEnglish, HttpError } from '../../errors.ts'
import { integerKind, textKind } from '../../rest/declare/fields/kinds.ts'
import { readParameters } from '../../rest/write/read-parameters.ts'

const accepts = {
  reason: { kind: textKind(), nullable: false, required: true },
  amount: { kind: integerKind, nullable: true },
}

const read = (body: unknown, query: object = {}) =>
  readParameters('user', { accepts, unwrapped: true }, { body, query })
const readWrapped = (body: unknown, query: object = {}) => readParameters('user', { accepts }, { body, query })

/** Returns the errors of a 422 by field, or the status of another refusal. */
function faults(ask: () => unknown): unknown {
  try {
    return ask()
  } catch (error) {
    assert.ok(error instanceof HttpError)
    return error.status === 422 ? errorsInEnglish(error.errors ?? {}) : error.status
  }
}

describe('the parameters of an action', () => {
  it('stand at the top level, or under the wrapper', () => {
    const expected = { reason: 'late', amount: 2 }
    assert.deepEqual(read({ reason: 'late', amount: '2' }), expected)
    assert.deepEqual(read({ user: { reason: 'late', amount: 2 } }), expected)
    assert.deepEqual(readWrapped({ user: { reason: 'late', amount: 2 } }), expected)
  })

  it('come in the query where the body is empty or an empty object', () => {
    for (const body of [undefined, null, {}]) {
      assert.deepEqual(read(body, { reason: 'late', access_token: 'x', shoe: '1' }), { reason: 'late' })
      assert.deepEqual(read(body, { user: { reason: 'late' } }), { reason: 'late' })
    }
  })

  it('may have an id beside them, which is ignored', () => {
    assert.deepEqual(read({ id: 5, reason: 'late' }), { reason: 'late' })
  })

  it('are refused by name where one is missing, unknown or wrong', () => {
    assert.deepEqual(
      faults(() => read({})),
      { reason: ["can't be blank"] },
    )
    assert.deepEqual(
      faults(() => read({ reason: ' ', amount: 'x', ammount: 1 })),
      { reason: ["can't be blank"], amount: ['is not a whole number'], ammount: ['is not accepted'] },
    )
    assert.deepEqual(
      faults(() => readWrapped(undefined)),
      { reason: ["can't be blank"] },
    )
  })

  it('are an object', () => {
    for (const body of [[], 'reason', 5])
      assert.equal(
        faults(() => read(body)),
        400,
      )
    assert.equal(
      faults(() => readWrapped({ reason: 'late' })),
      400,
    )
  })

  it('are no members of a prototype', () => {
    const sent = JSON.parse('{"__proto__": 1, "constructor": 2, "reason": "late"}')
    assert.deepEqual(Object.keys(faults(() => read(sent)) as object), ['__proto__', 'constructor'])
  })
})
