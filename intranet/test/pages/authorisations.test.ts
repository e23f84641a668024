import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn } from '@campus/test/support/visitor'
import { createApplication } from '../../oauth/applications/create.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const BACK = 'https://map.example/back'

describe('the applications that may act for somebody', () => {
  let world: World
  let ada: SignedIn
  let made: Awaited<ReturnType<typeof createApplication>>
  before(async () => {
    world = await campus()
    ada = await signedInOf(world, { login: 'ada' })
    const values = { name: 'Cluster map', scopes: ['projects'], redirect_uris: [BACK], website: 'https://map.example' }
    made = await world.database.transaction((tx) =>
      createApplication(tx, { values, ownerId: null, actor: { userId: null }, now: world.clock.now() }),
    )
    await world.database.rows('update applications set rate_per_second = 1000 where id = $1', [made.id])
  })
  after(() => world.close())

  const asking = () => {
    const query = { client_id: made.uid, redirect_uri: BACK, response_type: 'code', scope: 'public projects' }
    return `/oauth/authorize?${new URLSearchParams(query)}`
  }

  /** Allows the application and gives it its tokens. */
  async function allow({ browser }: SignedIn) {
    const asked = await browser.get(asking())
    // A consent that exists is not requested again.
    const page = asked.location ? asked : await browser.submit(asking(), { decision: 'allow' })
    const code = new URL(page.location ?? '').searchParams.get('code')
    const { json } = await world.anonymous.post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: BACK,
      client_id: made.uid,
      client_secret: made.secret,
    })
    return json as { access_token: string; refresh_token: string }
  }

  const me = async (token: string) => (await world.anonymous.get('/v2/me', { authorization: `Bearer ${token}` })).status

  const kindsFor = async ({ id }: SignedIn) =>
    (await auditRecordsConcerning(world.database, id, 20))
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('consent'))

  it('are named with what each may do in plain words, since when and when it was last used', async () => {
    const { access_token } = await allow(ada)
    assert.equal(await me(access_token), 200)
    const { text } = await ada.browser.get('/authorisations')
    for (const part of [
      'Cluster map',
      'https://map.example',
      'Read and write projects, teams',
      'last used',
      '2 Mar 2026',
    ]) {
      assert.ok(text.includes(part), part)
    }
    assert.deepEqual(await kindsFor(ada), ['consent_given'])
  })

  it('show the addresses of a client that registered itself, whose name proves nothing', async () => {
    const one = await signedInOf(world, {})
    await world.database.rows(
      `with made as (
         insert into applications (name, uid, confidential, redirect_uris)
         values ('Assistant', 'self-registered-1', false,
                 '{https://editor.example/back,https://editor.example/other,http://127.0.0.1:5000/,org.example.map:/back}')
         returning id
       )
       insert into consents (user_id, application_id, scopes, last_scopes, created_at, updated_at)
       select $1, id, '{public}', '{public}', now(), now() from made`,
      [one.id],
    )
    const { text } = await one.browser.get('/authorisations')
    const [, shown = ''] = /Addresses: ([\s\S]*?)<\/p>/.exec(text) ?? []
    assert.equal(shown.replaceAll(/<[^>]*>/g, ''), 'editor.example, 127.0.0.1:5000, org.example.map:/back')
  })

  it('may no longer once they are revoked: their tokens end at once', async () => {
    const tokens = await allow(ada)
    assert.equal(await me(tokens.access_token), 200)
    const page = await ada.browser.submit('/authorisations', {}, `/authorisations/${made.id}/revoke`)
    assert.equal(page.location, '/authorisations')
    assert.equal(await me(tokens.access_token), 401)
    const renewal = await world.anonymous.post('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: made.uid,
      client_secret: made.secret,
    })
    assert.deepEqual([renewal.status, renewal.json.error], [400, 'invalid_grant'])
    assert.match((await ada.browser.get('/authorisations')).text, /You have allowed no application\./)
    assert.equal((await kindsFor(ada))[0], 'consent_revoked')
    assert.equal((await ada.browser.get(asking())).heading, 'Allow Cluster map to act for you?')
  })

  it('are revoked by nobody else, and not by a form of another site', async () => {
    const tokens = await allow(ada)
    const eve = await signedInOf(world)
    await allow(eve)
    const path = `/authorisations/${made.id}/revoke`
    await eve.browser.submit('/authorisations', {}, path)
    assert.equal((await eve.browser.submit('/applications/new', {}, path)).status, 404)
    const token = csrfTokenIn(await ada.browser.get('/authorisations'))
    assert.equal((await ada.browser.post(path, {})).status, 403)
    assert.equal((await ada.browser.post(path, { csrf_token: token }, { origin: 'https://evil.example' })).status, 403)
    assert.equal(await me(tokens.access_token), 200)
  })

  it('do not include one that was refused, which is recorded', async () => {
    const bob = await signedInOf(world)
    const page = await bob.browser.submit(asking(), { decision: 'deny' })
    assert.match(page.location ?? '', /error=access_denied/)
    assert.match((await bob.browser.get('/authorisations')).text, /You have allowed no application\./)
    assert.deepEqual(await kindsFor(bob), ['consent_denied'])
  })
})
