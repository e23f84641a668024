/** Checks the addresses in responses when a proxy ends TLS. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'

const BASE_URL = 'https://campus.example'
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

const LISTENERS = {
  'plain HTTP on this machine': () => ({ CAMPUS_TLS: 'off' }),
  'a Unix socket': () => ({ CAMPUS_SOCKET: join(folder.path, 'http.sock') }),
}

for (const [name, place] of Object.entries(LISTENERS)) {
  describe(`behind a proxy that comes by ${name}`, () => {
    let world: World
    before(async () => {
      world = await campus({
        env: { ...place(), CAMPUS_BASE_URL: BASE_URL, CAMPUS_TOKENS_PER_SECOND: '1', CAMPUS_TOKENS_BURST: '5' },
      })
    })
    after(() => world.close())

    test('every address in an answer is that of the proxy, whatever host we are asked by', async () => {
      for (let time = 0; time < 3; time += 1) await world.build.campus()
      const asked = { host: '127.0.0.1:8080', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
      const list = await world.staff.get('/v2/campus?per_page=1', asked)
      assert.match(list.headers.get('link') ?? '', new RegExp(`^<${BASE_URL}/v2/campus\\?`))
      const person = await personOf(world)
      const { json } = await world.staff.get(`/v2/users/${person.login}`, asked)
      assert.equal(json.url, `${BASE_URL}/v2/users/${person.login}`)
      const metadata = await world.anonymous.get('/.well-known/oauth-authorization-server', asked)
      assert.equal(metadata.json.issuer, BASE_URL)
      assert.equal(metadata.json.token_endpoint, `${BASE_URL}/oauth/token`)
      for (const answer of [list, metadata]) assert.ok(!answer.text.includes('evil.example'))
    })

    test('browsers are held to HTTPS and keep their cookies for it', async () => {
      const person = await personOf(world)
      const visitor = visitorOf(world)
      const page = await visitor.get('/sign-in', { host: '127.0.0.1:8080' })
      assert.match(page.headers.get('strict-transport-security') ?? '', /^max-age=\d{8}/)
      for (const cookie of page.headers.getSetCookie()) assert.match(cookie, /^__Host-.*; Secure/)
      const signedIn = await visitor.submit('/sign-in', { login: person.login, password: PASSWORD })
      assert.equal(signedIn.status, 303)
      assert.match(signedIn.location ?? '', new RegExp(`^(${BASE_URL})?/(?!/)`))
    })

    test('a form that another site sent is refused', async () => {
      const page = await visitorOf(world).post(
        '/sign-in',
        { login: 'x', password: 'y' },
        { origin: 'https://evil.example' },
      )
      assert.equal(page.status, 403)
    })

    test('who asks too often is the address that the proxy names', async () => {
      const ask = (address: string) =>
        world.anonymous.post(
          '/oauth/token',
          { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' },
          { 'x-forwarded-for': address },
        )
      const forged = (time: number) => ask(`192.0.2.${time}, 198.51.100.4`)
      const answers = await Promise.all(Array.from({ length: 40 }, (_, time) => forged(time)))
      assert.ok(
        answers.some(({ status }) => status === 429),
        'naming others in front changes nothing',
      )
      assert.equal((await ask('198.51.100.5')).status, 401)
    })

    test('a proxy that names nobody is one place for all, and nothing fails by it', async () => {
      const { status } = await world.anonymous.post('/oauth/token', {
        grant_type: 'client_credentials',
        client_id: 'x',
        client_secret: 'y',
      })
      assert.equal(status, 401)
    })

    test('metrics are for who has the token, since everybody comes from this machine', async () => {
      assert.equal((await world.anonymous.get('/metrics')).status, 403)
    })
  })
}
