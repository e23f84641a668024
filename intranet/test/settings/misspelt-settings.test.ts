import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misspelt } from '../../settings/misspelt.ts'

test('a variable that looks like a setting and is none is named, with the one that was probably meant', () => {
  const env = { CAMPUS_PROT: '1', CAMPUS_PORT: '2', PATH: '', DATABASE_URL: '', CAMPUS_TEST_KILLS: '3' }
  assert.deepEqual(misspelt(env), ['CAMPUS_PROT is no setting, so it changes nothing. Did you mean "CAMPUS_PORT"?'])
  assert.deepEqual(misspelt({ CAMPUS_FRIENDLY_GREETING: 'hi' }), [
    'CAMPUS_FRIENDLY_GREETING is no setting, so it changes nothing.',
  ])
  assert.doesNotMatch(misspelt({ CAMPUS_SECRET_KEYS: 'a1b2c3' }).join(), /a1b2c3/)
})
