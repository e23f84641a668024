import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'

const SCHOOL = {
  CAMPUS_OIDC_ISSUER: 'https://login.school.test',
  CAMPUS_OIDC_CLIENT_ID: 'campus',
  CAMPUS_OIDC_CLIENT_SECRET: 'hush',
}

test('without settings people sign in by password only', () => {
  assert.equal(readConfig({}).schoolProvider, undefined)
})

test("the school's provider is taken as it is set, and has a name", () => {
  const provider = { issuer: 'https://login.school.test', clientId: 'campus', clientSecret: 'hush' }
  assert.deepEqual(readConfig(SCHOOL).schoolProvider, { ...provider, name: 'School account' })
  assert.equal(readConfig({ ...SCHOOL, CAMPUS_OIDC_NAME: ' Example ' }).schoolProvider?.name, 'Example')
})

for (const name of Object.keys(SCHOOL)) {
  test(`a provider without ${name} stops the start with a sentence that names it`, () => {
    assert.throws(
      () => readConfig({ ...SCHOOL, [name]: '' }),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, new RegExp(`^${name} must be set too`))
        assert.ok(!error.message.includes('hush'))
        return true
      },
    )
  })
}

for (const issuer of ['http://login.school.test', 'login.school.test', 'https://login.school.test?a=1']) {
  test(`${issuer} is no provider`, () => {
    assert.throws(
      () => readConfig({ ...SCHOOL, CAMPUS_OIDC_ISSUER: issuer }),
      /^ConfigError|CAMPUS_OIDC_ISSUER must be/,
    )
  })
}
