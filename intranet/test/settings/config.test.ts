import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@campus/engine/base/config-error'
import { PARTS } from '@campus/service/parts'
import { readConfig } from '../../settings/config.ts'
import { SETTINGS } from '../../settings/settings.ts'

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
  test(`a provider without ${name} stops the start with a message that names it`, () => {
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

for (const name of ['CODE', 'PDF', 'DOCUMENT', 'VIDEO', 'IMAGE', 'UPLOAD'].map((kind) => `CAMPUS_MAX_${kind}_MIB`)) {
  for (const value of ['0', '5121', '1.5', '-1', '10 MiB']) {
    test(`${name}=${value} stops the start with a message that names it`, () => {
      assert.throws(() => readConfig({ [name]: value }), namedBy(name))
    })
  }
}

test('limits of uploads are taken in mebibytes', () => {
  const { uploadLimits } = readConfig({ CAMPUS_MAX_PDF_MIB: '3', CAMPUS_MAX_UPLOAD_MIB: '5120' })
  assert.deepEqual([uploadLimits.pdf, uploadLimits.body, uploadLimits.code], [3_145_728, 5_368_709_120, 10_485_760])
})

for (const hours of ['0', '721', 'a day']) {
  test(`addresses of files cannot last for ${hours} hours`, () => {
    assert.throws(() => readConfig({ CAMPUS_FILE_LINK_HOURS: hours }), namedBy('CAMPUS_FILE_LINK_HOURS'))
  })
}

const BUCKET = { CAMPUS_S3_BUCKET: 'files', CAMPUS_S3_ACCESS_KEY_ID: 'id', CAMPUS_S3_SECRET_ACCESS_KEY: 'hush' }

for (const [name, settings] of [
  ['CAMPUS_S3_BUCKET', { ...BUCKET, CAMPUS_S3_BUCKET: '' }],
  ['CAMPUS_S3_BUCKET', { CAMPUS_S3_ENDPOINT: 'https://s3.example.org' }],
  ['CAMPUS_S3_ACCESS_KEY_ID', { ...BUCKET, CAMPUS_S3_ACCESS_KEY_ID: '' }],
  ['CAMPUS_S3_SECRET_ACCESS_KEY', { ...BUCKET, CAMPUS_S3_SECRET_ACCESS_KEY: '' }],
  ['CAMPUS_S3_ENDPOINT', { ...BUCKET, CAMPUS_S3_ENDPOINT: 's3.example.org' }],
] as const) {
  test(`${JSON.stringify(Object.keys(settings))} stop the start with a message that names ${name}`, () => {
    assert.throws(() => readConfig(settings), namedBy(name))
  })
}

const namedBy = (name: string) => (error: unknown) => {
  assert.ok(error instanceof ConfigError)
  assert.ok(error.message.startsWith(`${name} must `), error.message)
  assert.ok(!error.message.includes('hush'))
  return true
}

test('proxies are addresses and networks', () => {
  assert.deepEqual(readConfig({}).trustedProxies, [])
  const CAMPUS_TRUSTED_PROXIES = '10.0.0.7, 10.1.0.0/16,fd00::/8'
  assert.deepEqual(readConfig({ CAMPUS_TRUSTED_PROXIES }).trustedProxies, ['10.0.0.7', '10.1.0.0/16', 'fd00::/8'])
  for (const wrong of ['proxy.example.org', '10.1.0.0/64', '10.1.0.0/16;10.2.0.0/16', 'true']) {
    assert.throws(
      () => readConfig({ CAMPUS_TRUSTED_PROXIES: wrong }),
      (error) => error instanceof ConfigError && error.message.startsWith('CAMPUS_TRUSTED_PROXIES must list'),
      wrong,
    )
  }
})

test('requests for tokens are limited as it is set, or not at all', () => {
  const rateOf = (env: Readonly<Record<string, string>>) => readConfig(env).tokenRate
  assert.deepEqual(rateOf({}), { perSecond: 10, burst: 60 })
  assert.deepEqual(rateOf({ CAMPUS_TOKENS_PER_SECOND: '100' }), { perSecond: 100, burst: 100 })
  assert.deepEqual(rateOf({ CAMPUS_TOKENS_BURST: '20' }), { perSecond: 10, burst: 20 })
  assert.equal(rateOf({ CAMPUS_TOKENS_PER_SECOND: '0' }), undefined)
  assert.throws(() => rateOf({ CAMPUS_TOKENS_BURST: '9' }), /CAMPUS_TOKENS_BURST must be at least/)
  assert.throws(() => rateOf({ CAMPUS_TOKENS_PER_SECOND: 'many' }), /CAMPUS_TOKENS_PER_SECOND must be a whole number/)
})

test('all settings that are wrong are named at once, each in its line', () => {
  const wrong = {
    CAMPUS_PORT: '70000',
    CAMPUS_METRICS_TOKEN: 'hush',
    CAMPUS_TLS_KEY: 'key.pem',
    CAMPUS_OIDC_CLIENT_ID: 'campus',
    CAMPUS_OIDC_NAME: 'School',
  }
  assert.throws(
    () => readConfig(wrong),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(error.message.split('\n'), [
        'CAMPUS_PORT must be a whole number from 0 to 65535; it is "70000".',
        'CAMPUS_METRICS_TOKEN must have at least 16 characters; its value is not shown here.',
        'CAMPUS_TLS_CERT must name a certificate file, since CAMPUS_TLS_KEY is set.',
        "CAMPUS_OIDC_ISSUER must be set too, since other settings of the school's provider are.",
        "CAMPUS_OIDC_CLIENT_SECRET must be set too, since other settings of the school's provider are.",
      ])
      return true
    },
  )
})

test('no secret is repeated in what is said about it', () => {
  const secrets = { DATABASE_URL: 'mysql://a:hush@db', CAMPUS_SECRET_KEY: 'hush', CAMPUS_SEALING_KEY: 'hush' }
  for (const [name, value] of Object.entries(secrets)) {
    assert.throws(() => readConfig({ [name]: value }), namedBy(name))
  }
})

test('a setting that is empty or blank counts as not set', () => {
  const blank = Object.fromEntries(Object.keys(SETTINGS).map((name, at) => [name, at % 2 === 0 ? '' : ' ']))
  assert.deepEqual(readConfig(blank), readConfig({}))
})

test('the default of each setting is one that could be set', () => {
  const defaults = Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema.default])
  assert.deepEqual(readConfig(Object.fromEntries(defaults)), readConfig({}))
})

test('languages are those of the service, and the school’s usual one comes first', () => {
  const codesOf = (CAMPUS_LANGUAGES: string) => {
    const { ofSchool, all } = readConfig({ CAMPUS_LANGUAGES }, PARTS).languages
    return [ofSchool, all].map((languages) => languages.map(({ code }) => code).join())
  }
  assert.deepEqual(codesOf(''), ['en', 'en,fr'])
  assert.deepEqual(codesOf('fr, en'), ['fr,en', 'en,fr'])
  const refusal = (known: string, unknown: string) => ({
    message: `CAMPUS_LANGUAGES must list languages of ${known}, the usual one first; "${unknown}" is none.`,
  })
  for (const unknown of ['de', '__proto__', 'FR'])
    assert.throws(() => codesOf(`fr,${unknown}`), refusal('en, fr', unknown))
  assert.throws(() => readConfig({ CAMPUS_LANGUAGES: 'en,fr' }), refusal('en', 'fr'))
})

const BEHIND = { CAMPUS_BASE_URL: 'https://campus.example' }

test('plain HTTP is spoken on this machine alone, unless it is asked for by its name', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1']) {
    assert.equal(readConfig({ ...BEHIND, CAMPUS_TLS: 'off', CAMPUS_HOST: host }).isBehindProxy, true)
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'campus.example', 'localhost.example', '127.example']) {
    assert.throws(() => readConfig({ ...BEHIND, CAMPUS_TLS: 'off', CAMPUS_HOST: host }), namedBy('CAMPUS_TLS'))
    assert.equal(readConfig({ ...BEHIND, CAMPUS_TLS: 'off-anywhere', CAMPUS_HOST: host }).isBehindProxy, true)
  }
})

test('passkeys belong to the host of the address, or to a domain above it that is named, and to no IP address', () => {
  const partyOf = (env: Readonly<Record<string, string>>) => readConfig(env).relyingParty
  assert.deepEqual(partyOf({}), { id: 'localhost', origin: 'https://localhost:8443' })
  const address = { CAMPUS_BASE_URL: 'https://intra.school.example:444/' }
  const origin = 'https://intra.school.example:444'
  assert.deepEqual(partyOf(address), { id: 'intra.school.example', origin })
  for (const id of ['intra.school.example', 'school.example'])
    assert.deepEqual(partyOf({ ...address, CAMPUS_PASSKEY_DOMAIN: id }), { id, origin })
  for (const wrong of ['chool.example', 'example', 'other.example', 'a.intra.school.example', 'School.example', 'x:1'])
    assert.throws(() => partyOf({ ...address, CAMPUS_PASSKEY_DOMAIN: wrong }), namedBy('CAMPUS_PASSKEY_DOMAIN'), wrong)
  for (const host of ['203.0.113.7', '[2001:db8::7]']) {
    const CAMPUS_BASE_URL = `https://${host}`
    assert.equal(partyOf({ CAMPUS_BASE_URL }), undefined)
    const CAMPUS_PASSKEY_DOMAIN = '113.7'
    assert.throws(() => partyOf({ CAMPUS_BASE_URL, CAMPUS_PASSKEY_DOMAIN }), namedBy('CAMPUS_PASSKEY_DOMAIN'))
  }
})

test('CAMPUS_BASE_URL and CAMPUS_PICTURES_URL are normalized as browsers do', () => {
  for (const [name, key] of [
    ['CAMPUS_BASE_URL', 'baseUrl'],
    ['CAMPUS_PICTURES_URL', 'picturesUrl'],
  ] as const) {
    assert.equal(readConfig({ [name]: 'https://Campus.example.org:443/' })[key], 'https://campus.example.org')
    assert.equal(readConfig({ [name]: 'https://campus.example.org:8443' })[key], 'https://campus.example.org:8443')
    assert.equal(readConfig({ [name]: 'https://campus.example.org/a/' })[key], 'https://campus.example.org/a')
  }
})

test('who ends TLS says by which address clients ask', () => {
  for (const env of [{ CAMPUS_TLS: 'off' }, { CAMPUS_SOCKET: 'http.sock' }]) {
    assert.throws(() => readConfig(env), namedBy('CAMPUS_BASE_URL'))
  }
})

test("TLS that is a proxy's needs no certificate, and none on a socket", () => {
  assert.throws(() => readConfig({ ...BEHIND, CAMPUS_TLS: 'on', CAMPUS_SOCKET: 'http.sock' }), namedBy('CAMPUS_TLS'))
  const files = { CAMPUS_TLS_CERT: 'cert.pem', CAMPUS_TLS_KEY: 'key.pem' }
  for (const behind of [{ CAMPUS_TLS: 'off' }, { CAMPUS_SOCKET: 'http.sock' }]) {
    assert.throws(() => readConfig({ ...BEHIND, ...behind, ...files }), namedBy('CAMPUS_TLS_CERT'))
    const acme = { CAMPUS_ACME_EMAIL: 'ada@campus.example' }
    assert.throws(() => readConfig({ ...BEHIND, ...behind, ...acme }), namedBy('CAMPUS_ACME_EMAIL'))
  }
})

test('a socket has a path that systems take, and a mode', () => {
  const { socket, isBehindProxy } = readConfig({
    ...BEHIND,
    CAMPUS_SOCKET: '/run/http.sock',
    CAMPUS_SOCKET_MODE: '0666',
  })
  assert.deepEqual({ socket, isBehindProxy }, { socket: { path: '/run/http.sock', mode: 0o666 }, isBehindProxy: true })
  assert.equal(readConfig({ ...BEHIND, CAMPUS_SOCKET: '/run/http.sock' }).socket?.mode, 0o660)
  assert.throws(() => readConfig({ ...BEHIND, CAMPUS_SOCKET: `/${'x'.repeat(200)}` }), namedBy('CAMPUS_SOCKET'))
  assert.throws(() => readConfig({ ...BEHIND, CAMPUS_SOCKET_MODE: '888' }), namedBy('CAMPUS_SOCKET_MODE'))
})

test('without TLS this machine is believed for whom it speaks, unless others are named', () => {
  assert.deepEqual(readConfig({}).trustedProxies, [])
  assert.deepEqual(readConfig({ ...BEHIND, CAMPUS_TLS: 'off' }).trustedProxies, ['127.0.0.0/8', '::1'])
  assert.deepEqual(readConfig({ ...BEHIND, CAMPUS_TLS: 'off', CAMPUS_TRUSTED_PROXIES: '10.0.0.7' }).trustedProxies, [
    '10.0.0.7',
  ])
})

test('the log is for people where somebody typed npm start, and for programs below a service manager or in a pipe', () => {
  const formatOf = (env: Readonly<Record<string, string>>) => readConfig(env).logFormat
  assert.equal(formatOf({ npm_lifecycle_event: 'start' }), 'pretty')
  assert.equal(formatOf({ npm_lifecycle_event: 'start', INVOCATION_ID: 'f00' }), 'json')
  assert.equal(formatOf({ npm_lifecycle_event: 'start', CAMPUS_LOG_FORMAT: 'json' }), 'json')
  assert.equal(formatOf({}), 'json')
})
