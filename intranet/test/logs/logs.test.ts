import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { prettyStream } from '@campus/engine/base/logs/pretty'
import { withoutValues } from '@campus/engine/database/slow-statements'
import { campus, type World } from '@campus/test/support/campus'
import { flowOf } from '@campus/test/support/oauth-flow'
import { askedAt, personWithPasskey } from '@campus/test/support/passkeys'
import { PASSWORD } from '@campus/test/support/people'
import { until } from '@campus/test/support/until'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { pino } from 'pino'

/** Every row of every table as one text. */
const EVERYTHING = `select string_agg(query_to_xml('select * from ' || quote_ident(table_name), true, true, '')::text, '')
  from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`

/** Keeps what is written to it. */
function paper() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}

describe('the log', () => {
  const { stream, text } = paper()
  let world: World
  before(async () => {
    world = await campus({
      seeded: true,
      env: { CAMPUS_LOG_LEVEL: 'debug', CAMPUS_SLOW_STATEMENT_MS: '5' },
      log: pino({ level: 'debug' }, stream),
    })
  })
  after(() => world?.close())

  const lines = () =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  /** A line is written when its answer has left, which a client may see sooner. */
  async function lineOf(path: string) {
    for (;;) {
      const line = lines().find((line) => line.path === path)
      if (line) return line
      await nextTurn()
    }
  }

  it('says of each request who asked, from where and for whom, and nothing of its query', async () => {
    const person = await world.caller({ user: 2 })
    await person.get('/v2/users/3?access_hint=zK7-query')
    const line = await lineOf('/v2/users/3')
    assert.equal(line.method, 'GET')
    assert.equal(line.status, 200)
    assert.match(line.address, /^(::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)$/)
    assert.ok(line.application > 0)
    assert.equal(line.person, 2)
    assert.ok(!text().includes('zK7-query'))
    await world.anonymous.get('/v2/users/4')
    const stranger = await lineOf('/v2/users/4')
    assert.equal(stranger.application, undefined)
    assert.equal(stranger.person, undefined)
  })

  it('has what pages are made of at debug only', async () => {
    const { text: page } = await visitorOf(world).get('/sign-in')
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"?]+)/.exec(page) ?? []
    await visitorOf(world).get(sheet)
    assert.equal((await lineOf('/sign-in')).level, 30)
    assert.equal((await lineOf(sheet)).level, 20)
  })

  it('holds no secret, whoever sends it and wherever, nor do metrics', async () => {
    const secret = (where: string) => `zK7-secret-${where}`
    const browser = visitorOf(world)
    await browser.submit('/sign-in', { login: 'nobodyatall', password: secret('password') })
    await browser.get(`/reset-password?token=${secret('reset')}`, { cookie: `campus_session=${secret('cookie')}` })
    await world.anonymous.get(`/v2/users?access_token=${secret('query')}`)
    await world.anonymous.get('/v2/users', { authorization: `Bearer ${secret('bearer')}` })
    await world.anonymous.post('/oauth/token', {
      ...{ grant_type: 'authorization_code', code: secret('code'), code_verifier: secret('verifier') },
      ...{ client_id: 'x', client_secret: secret('client') },
    })
    await world.anonymous.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: secret('refresh') })
    await world.director.patch('/v2/users/5', { user: { password: secret('patched'), meta: { key: secret('meta') } } })
    await world.director.post('/v2/endpoints', { endpoint: { url: `ftp://x/${secret('url')}`, secret: secret('own') } })
    await world.anonymous.request('POST', '/v2/users', {
      body: `{"user": ${secret('malformed')}`,
      headers: { 'content-type': 'application/json' },
    })
    await world.anonymous.get('/last')
    await lineOf('/last')
    assert.ok(lines().length > 9)
    assert.doesNotMatch(text() + (await world.anonymous.get('/metrics')).text, /zK7-secret/)
  })

  it('holds nothing of passkeys: no challenge, nothing that was signed, no key and no code', async () => {
    const { browser, authenticator, codes, login } = await personWithPasskey(world, { login: 'hedy' })
    const sent: string[] = [...codes]
    for (const lies of [{}, { isVerified: false }, { counter: 0 }, { origin: 'https://evil.test' }]) {
      const visitor = visitorOf(world)
      const csrf_token = csrfTokenIn(await visitor.get('/sign-in'))
      const asked = await askedAt(visitor, '/sign-in/passkey/options')
      const credential = authenticator.get(asked, lies)
      const { id, response } = JSON.parse(credential)
      sent.push(asked.challenge, id, ...Object.values<string>(response))
      await visitor.post('/sign-in/passkey', { csrf_token, credential })
      await visitor.post('/sign-in/passkey', { csrf_token, credential: `${credential}}` })
    }
    await browser.submit('/security/second-factor/recovery-codes', { code: codes[0] ?? '' })
    await visitorOf(world).signIn(login, PASSWORD)
    await world.anonymous.get('/after-passkeys')
    await lineOf('/after-passkeys')
    const said = text() + (await world.anonymous.get('/metrics')).text
    assert.match(said, /\/sign-in\/passkey/)
    for (const secret of sent) {
      const bytes = Buffer.from(secret, 'base64url')
      for (const form of [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64')])
        assert.ok(!said.includes(form), form)
    }
  })

  it('holds nothing of sign-ins by OpenID Connect: no ID token, no hint, no logout token; nor does the database', async () => {
    const flow = flowOf(world)
    const app = await flow.application({ scopes: ['openid', 'email'] })
    await world.database.rows('update applications set backchannel_logout_uri = $1 where id = $2', [
      'https://127.0.0.1:9/logout',
      app.id,
    ])
    const person = await flow.person()
    const tokens = await flow.tokens(person, app, { scope: 'openid email', nonce: 'zK7-nonce' })
    const { id_token = '' } = tokens
    await world.anonymous.get('/oauth/userinfo', { authorization: `Bearer ${tokens.access_token}` })
    const hinted = { scope: 'openid', id_token_hint: id_token }
    await flow.ask(person, app, { ...hinted, prompt: 'none' })
    const asked = await flow.ask(person, app, { ...hinted, prompt: 'login' })
    assert.ok(!asked.location?.includes(id_token))
    await person.submit(asked.location ?? '', { login: person.login, password: PASSWORD })
    await person.get(`/oauth/logout?id_token_hint=${id_token}`)
    await until(() => lines().some(({ msg }) => msg === 'an application was not notified of a sign-out'))
    const said = text() + (await world.anonymous.get('/metrics')).text
    assert.match(said, /campus_logout_notices_total/)
    const [row] = await world.database.rows(EVERYTHING)
    const stored = String(row?.[0])
    assert.ok(stored.includes(person.login))
    const secrets = [...id_token.split('.'), tokens.access_token, tokens.refresh_token, 'eyJ0eXAiOiJsb2dvdXQ']
    for (const secret of secrets.filter((one) => one.length > 16)) {
      assert.ok(!said.includes(secret), secret)
      assert.ok(!stored.includes(secret), secret)
    }
    assert.ok(!said.includes('zK7-nonce'))
  })

  it('names slow statements, without a value', async () => {
    await world.database.rows("select pg_sleep(0.01), 'zK7-literal', $1::text, 471108150623", ['zK7-value'])
    const slow = lines().find((line) => line.msg === 'slow statement' && line.statement.includes('pg_sleep'))
    assert.equal(slow.statement, "select pg_sleep(…), '…', $1::text, …")
    assert.ok(slow.milliseconds >= 5)
    assert.ok(!/zK7-(literal|value)|471108150623/.test(text()))
  })
})

it('no literal is left in the text of a statement, however it is quoted', () => {
  for (const [given, wanted] of [
    ["select 'a''b', E'c\\'d' from t1", "select '…', '…' from t1"],
    ['select $$secret$$, $x$secret$x$ where id = $12', "select '…', '…' where id = $12"],
    ["select 'cut off in the mid", "select '…'"],
    ['select  1.5,\n  -42', 'select …, -…'],
    ['select u.id2 from "users" u limit 30', 'select u.id2 from "users" u limit …'],
  ] as const)
    assert.equal(withoutValues(given), wanted)
  assert.ok(withoutValues(`select '${'x'.repeat(10_000_000)}'`).length < 100)
})

it('lines for people have a sentence for each request, and the rest behind it', () => {
  const { stream, text } = paper()
  const log = pino({ level: 'info' }, prettyStream(stream, false))
  log.info({ method: 'GET', path: '/v2/users', status: 200, milliseconds: 1.5, address: '::1', application: 7 })
  log.warn({ milliseconds: 812, statement: 'select …' }, 'slow statement')
  const [first, second] = text().split('\n')
  assert.match(
    first as string,
    /^\[\d\d:\d\d:\d\d\] INFO: GET \/v2\/users 200 1\.5 ms \{"address":"::1","application":7\}$/,
  )
  assert.match(second as string, /WARN: slow statement \{.*"statement":"select …"\}$/)
})

it('lines for people hold nothing that acts on a terminal, and no line of their own', () => {
  const { stream, text } = paper()
  const log = pino({ level: 'info' }, prettyStream(stream, false))
  const hostile = '\u001b[2J\u009b31m\u202e\u0007\u007f\b C:\\\\folder \\u001b\n[10:00:00] INFO: forged'
  log.info({ agent: hostile, name: { [hostile]: hostile } }, hostile)
  log.error({ err: new Error(hostile) }, 'it failed')
  log.info({ method: 'GET', path: hostile, status: 200, milliseconds: 1 })
  assert.doesNotMatch(text(), /[^\P{Cc}\n]|\u202e/u)
  assert.equal(text().match(/^\[\d\d:\d\d:\d\d\] /gm)?.length, 3, text())
  assert.match(text(), /folder/)
})
