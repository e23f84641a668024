import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { createApplication } from '../../oauth/applications/create.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const CONSOLE = '/apidoc/console'
const TOKEN = '/apidoc/console/token'

describe('the console of the reference', () => {
  let world: World
  let ada: SignedIn
  let fellow: SignedIn
  let staff: SignedIn
  let application: Awaited<ReturnType<typeof createApplication>>
  before(async () => {
    world = await campus()
    ada = await signedInOf(world, { login: 'ada' })
    fellow = await signedInOf(world, { login: 'bob' })
    staff = await signedInOf(world, { login: 'boss', kind: 'admin' })
    application = await applicationOf(ada)
  })
  after(() => world.close())

  const applicationOf = ({ id: ownerId }: SignedIn, values = {}) =>
    world.database.transaction((tx) =>
      createApplication(tx, {
        values: { name: 'Cluster map', scopes: ['public', 'projects'], ...values },
        ownerId,
        actor: { userId: ownerId },
        now: world.clock.now(),
      }),
    )

  const ask = ({ browser }: SignedIn, fields: Readonly<Record<string, string>>) =>
    browser.submit(CONSOLE, fields, TOKEN)
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` })
  const tokens = async () => (await world.database.rows('select count(*) from access_tokens'))[0]?.[0]

  it('offers whoever is signed in their own applications, and nobody else’s', async () => {
    await applicationOf(fellow, { name: 'Noise meter' })
    const { text, headers } = await ada.browser.get(`${CONSOLE}?at=/apidoc/users`)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(text, new RegExp(`<option value="${application.id}">Cluster map</option>`))
    assert.doesNotMatch(text, /Noise meter/)
    assert.match(text, /data-login="ada"/)
    assert.match(text, /action="\/sign-out"/)
    assert.doesNotMatch((await staff.browser.get(CONSOLE)).text, /Noise meter|Cluster map/)
  })

  it('leads whoever has none to registering one, and whoever is not signed in back to the page after it', async () => {
    const { text } = await staff.browser.get(CONSOLE)
    assert.match(text, /href="\/applications\/new"/)
    const { text: outside } = await visitorOf(world).get(`${CONSOLE}?at=${encodeURIComponent('/apidoc/users')}`)
    assert.match(outside, /href="\/sign-in\?return_to=%2Fapidoc%2Fusers"/)
    for (const at of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const { text } = await visitorOf(world).get(`${CONSOLE}?at=${encodeURIComponent(at)}`)
      assert.match(text, /return_to=%2F"/, at)
    }
  })

  it('gets a token with which the application acts for its owner, as a consent to be seen and taken back', async () => {
    const page = await ask(ada, { application: String(application.id), as: 'person' })
    assert.equal(page.status, 200, page.text)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const { access_token, expires_in, scope } = JSON.parse(page.text)
    assert.deepEqual([expires_in, scope], [7200, 'public projects'])
    assert.equal((await world.anonymous.get('/v2/me', bearing(access_token))).json.login, 'ada')
    assert.match((await ada.browser.get('/authorisations')).text, /Cluster map/)
    await ask(ada, { application: String(application.id), as: 'person' })
    const consents = (await auditRecordsConcerning(world.database, ada.id, 20)).filter(
      ({ kind }) => kind === 'consent_given',
    )
    assert.equal(consents.length, 1)
    await ada.browser.submit('/authorisations', {}, `/authorisations/${application.id}/revoke`)
    assert.equal((await world.anonymous.get('/v2/me', bearing(access_token))).status, 401)
  })

  it('gets a token with which the application acts for itself, without a consent', async () => {
    const { id } = await applicationOf(ada, { name: 'Noise map' })
    const { text } = await ask(ada, { application: String(id), as: 'application' })
    const { access_token } = JSON.parse(text)
    assert.equal((await world.anonymous.get('/v2/campus', bearing(access_token))).status, 200)
    assert.equal((await world.anonymous.get('/oauth/token/info', bearing(access_token))).json.resource_owner_id, null)
    assert.doesNotMatch((await ada.browser.get('/authorisations')).text, /Noise map/)
  })

  it('gets none for an application of somebody else, be it staff who ask, nor for one that is not there', async () => {
    const before = await tokens()
    for (const person of [fellow, staff]) {
      for (const as of ['person', 'application']) {
        const { status, text } = await ask(person, { application: String(application.id), as })
        assert.equal(status, 404)
        assert.doesNotMatch(text, /access_token/)
      }
    }
    for (const wrong of ['', '0', '-1', '1.5', '1e400', '9'.repeat(30), 'x', "1' or 1"]) {
      const { status } = await ask(ada, { application: wrong, as: 'person' })
      assert.ok([404, 422].includes(status), `${wrong}: ${status}`)
    }
    assert.equal(await tokens(), before)
    assert.equal(
      (await auditRecordsConcerning(world.database, staff.id, 20)).some(({ kind }) => kind === 'consent_given'),
      false,
    )
  })

  it('gets none for whoever is not signed in, nor from another site, nor without the token of its form', async () => {
    const before = await tokens()
    const fields = { application: String(application.id), as: 'person' }
    const nobody = visitorOf(world)
    const csrf_token = csrfTokenIn(await ada.browser.get(CONSOLE))
    assert.equal((await nobody.post(TOKEN, { ...fields, csrf_token })).status, 403)
    assert.equal((await ada.browser.post(TOKEN, fields)).status, 403)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await ada.browser.post(TOKEN, { ...fields, csrf_token }, foreign)).status, 403)
    assert.equal((await ada.browser.get(TOKEN)).status, 404)
    assert.equal(await tokens(), before)
  })

  it('gets none once the account is closed', async () => {
    const carol = await signedInOf(world, { login: 'carol' })
    const { id } = await applicationOf(carol)
    const csrf_token = csrfTokenIn(await carol.browser.get(CONSOLE))
    await world.staff.post(`/v2/users/${carol.id}/closes`, { close: { reason: 'gone', kind: 'other' } })
    await world.database.rows('update users set closed_at = now() where id = $1', [carol.id])
    const page = await carol.browser.post(TOKEN, { application: String(id), as: 'person', csrf_token })
    assert.doesNotMatch(page.text, /access_token/)
    assert.notEqual(page.status, 200)
  })

  it('names things as they are typed: markup in a name stays text', async () => {
    await applicationOf(ada, { name: '<b>Bold map</b>' })
    const { text } = await ada.browser.get(CONSOLE)
    assert.ok(text.includes('&lt;b&gt;Bold map&lt;/b&gt;') && !text.includes('<b>Bold'))
  })
})
