import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verbatim } from '@campus/engine/base/languages/say'
import { HttpError, malformed, unavailable } from '@campus/engine/errors'
import { OAuthError } from '../../oauth/oauth-errors.ts'

const frames = ({ stack = '' }: Error) => stack.split('\n').filter((line) => line.startsWith('    at '))

test('a refusal records no stack trace, and what is our own fault does', () => {
  assert.deepEqual(frames(malformed(verbatim('No.'))), [])
  assert.deepEqual(frames(new OAuthError('invalid_grant')), [])
  assert.ok(frames(unavailable(verbatim('Later.'))).length > 0)
  assert.ok(frames(new HttpError(500, verbatim('Oh.'))).length > 0)
})

test('an error after a refusal has its stack trace', () => {
  malformed(verbatim('No.'))
  assert.ok(frames(new Error('Oh.')).length > 0)
})
