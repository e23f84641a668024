import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HttpError } from '../../errors.ts'
import { negotiate, prefersJsonApi } from '../../http/media-types.ts'

const J = 'application/vnd.api+json'

/** `body`, `answer`, `both`, `plain`, or the status of a refusal. */
function outcome(headers: { accept?: string; 'content-type'?: string }): string | number {
  try {
    const { isBody, isAnswer } = negotiate(headers)
    return isBody ? (isAnswer ? 'both' : 'body') : isAnswer ? 'answer' : 'plain'
  } catch (error) {
    assert.ok(error instanceof HttpError)
    return error.status
  }
}

describe('the content type of a request', () => {
  for (const [type, expected] of [
    [undefined, 'plain'],
    ['', 'plain'],
    ['application/json', 'plain'],
    [J, 'both'],
    ['Application/VND.api+JSON', 'both'],
    [`${J};`, 'both'],
    [`${J}; profile="https://a.test/p https://b.test/q"`, 'both'],
    [`${J}; ext=""`, 'both'],
    [`${J}; ext="https://jsonapi.org/ext/atomic"`, 415],
    [`${J}; charset=utf-8`, 415],
    [`${J};charset=utf-8`, 415],
    [`${J}; profile="a"; version=1`, 415],
    [`text/plain; note="${J}"`, 'plain'],
    [`${J}2`, 'plain'],
  ] as const) {
    test(`${type} is ${expected}`, () =>
      assert.equal(outcome(type === undefined ? {} : { 'content-type': type }), expected))
  }
})

describe('the Accept header of a request', () => {
  for (const [accept, expected] of [
    ['*/*', 'plain'],
    ['application/json, text/plain, */*', 'plain'],
    ['application/*', 'plain'],
    [J, 'answer'],
    [`${J}, */*;q=0.5`, 'answer'],
    [`text/html, ${J}`, 'answer'],
    [`application/json, ${J}`, 'answer'],
    [`application/json;q=0.5, ${J}`, 'answer'],
    [`application/json, ${J};q=0.5`, 'plain'],
    [`${J};q=0`, 'plain'],
    [`${J};q=much`, 'answer'],
    [`${J}; profile="https://a.test/p, https://b.test/q"`, 'answer'],
    [`${J}; charset=utf-8`, 406],
    [`${J}; charset=utf-8, application/json`, 406],
    [`${J}; charset=utf-8, ${J}`, 'answer'],
    [`${J}; ext="https://a.test/x"`, 406],
    [`${J}; ext="https://a.test/x", ${J}; charset=utf-8`, 406],
    [`${J}; ext="https://a.test/x", ${J}; q=0.1`, 'answer'],
  ] as const) {
    test(`${accept} is ${expected}`, () => assert.equal(outcome({ accept }), expected))
  }

  test('does not outdo the content type, by which a client chooses first', () => {
    assert.equal(outcome({ accept: 'application/json', 'content-type': J }), 'both')
  })

  test('chooses the answer alone where the body is plain', () => {
    assert.equal(outcome({ accept: J, 'content-type': 'application/json' }), 'answer')
  })
})

test('refusals are told in the form that the client tried to speak', () => {
  assert.equal(prefersJsonApi({ 'content-type': `${J}; charset=utf-8` }), true)
  assert.equal(prefersJsonApi({ accept: `${J}; charset=utf-8` }), true)
  assert.equal(prefersJsonApi({ accept: `${J};q=0.1, application/json` }), false)
  assert.equal(prefersJsonApi({ accept: 'application/json' }), false)
  assert.equal(prefersJsonApi({}), false)
})
