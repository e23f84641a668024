import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { clientOf } from '@campus/test/support/client'
import { type Flow, flowOf, type Registered } from '@campus/test/support/oauth-flow'
import { csrfTokenIn, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { CallCounts } from '../../oauth/call-counts.ts'

type Person = Visitor & { readonly id: number; readonly login: string }

describe('the page of an application', () => {
  let world: World
  let flow: Flow
  let owner: Person
  let stranger: Person
  let app: Registered
  before(async () => {
    world = await campus()
    flow = flowOf(world)
    owner = await flow.person()
    stranger = await flow.person()
    app = await flow.application({ name: 'Cluster map', owner: owner.login })
  })
  after(() => world.close())

  const as = (token: string) => clientOf({ url: world.url, agent: world.agent }, token)
  const eventsOf = (text: string) => /<h2>Activity<\/h2>(.*)/s.exec(text)?.[1] ?? ''

  it('says what there is to see before the first call', async () => {
    const { text } = await owner.get(`/applications/${app.id}`)
    assert.match(text, /No calls yet/)
    assert.match(text, /Nothing was refused lately/)
  })

  it('shows calls by path, status and hour, all of them or some', async () => {
    const counts = new CallCounts(world.database, world.clock)
    for (let call = 0; call < 5; call += 1)
      counts.add(app.id, { route: 'GET /v2/users/:id', status: 200, reason: 'other' })
    counts.add(app.id, { route: 'GET /v2/closes', status: 403, reason: 'scope' })
    counts.add(app.id, { route: 'none', status: 404, reason: 'route' })
    await counts.flush()
    const { text } = await owner.get(`/applications/${app.id}`)
    assert.match(text, /7 calls in the last 14 days/)
    assert.match(text, /GET \/v2\/users\/:id<\/span><\/th><td data-label="Calls">5<\/td>/)
    assert.match(text, /<span class="badge good">200 · 5<\/span>/)
    assert.match(text, /the token lacks a scope/)
    assert.match(text, /addresses that there are not/)
    const part = async (query: string) => (await owner.get(`/applications/${app.id}?${query}`)).text
    assert.match(await part('outcome=refused'), /2 calls in the last 14 days/)
    assert.match(await part('route=GET+%2Fv2%2Fcloses'), /1 call in the last 14 days/)
    assert.match(await part('route=GET+%2Fv2%2Fcloses&outcome=answered'), /There are no such calls/)
    assert.match(await part('route=nonsense&outcome=nonsense'), /7 calls in the last 14 days/)
  })

  it('says what is left of the rate, and takes nothing of it', async () => {
    const rated = await flow.application({ owner: owner.login, rate_per_second: 40, rate_per_hour: 50 })
    const client = as((await flow.tokens(stranger, rated)).access_token)
    const { headers } = await client.get('/v2/campus')
    assert.equal(headers.get('x-hourly-ratelimit-remaining'), '49')
    for (let look = 0; look < 2; look += 1) {
      assert.match(
        (await owner.get(`/applications/${rated.id}`)).text,
        /calls remain this hour, of 50<\/dt><dd>49<\/dd>/,
      )
    }
    assert.equal((await client.get('/v2/campus')).headers.get('x-hourly-ratelimit-remaining'), '48')
  })

  it('lists for whom the application holds tokens that work, and ends one or all of them', async () => {
    const [one, other] = [await flow.person(), await flow.person()]
    const [ofOne, ofOther] = [await flow.tokens(one, app), await flow.tokens(other, app)]
    const own = (await flow.exchange(app, { grant_type: 'client_credentials' })).json
    const path = `/applications/${app.id}/sessions`
    const listed = (await owner.get(path)).text
    for (const { login } of [one, other]) assert.match(listed, new RegExp(`>${login}</th>`))
    assert.match(listed, /It has 1 token for itself/)
    for (const { access_token, refresh_token } of [ofOne, ofOther, own]) {
      assert.ok(!listed.includes(access_token) && !listed.includes(refresh_token ?? access_token))
    }
    const session = new RegExp(
      `name="session" value="(\\d+)">\\s*<button[^>]*aria-label="End the session of ${one.login} `,
    )
    const id = session.exec(listed)?.[1] ?? ''
    assert.equal((await owner.submit(path, { session: id }, `${path}/end`)).location, path)
    const statuses = async () =>
      Promise.all(
        [ofOne, ofOther, own].map(async ({ access_token }) => (await as(access_token).get('/v2/campus')).status),
      )
    assert.deepEqual(await statuses(), [401, 200, 200])
    const refresh = { grant_type: 'refresh_token', refresh_token: ofOne.refresh_token }
    assert.equal((await flow.exchange(app, refresh)).status, 400)
    assert.ok(!(await owner.get(path)).text.includes(`>${one.login}</th>`))
    await owner.submit(path, { confirmed: 'yes' }, `${path}/end-all`)
    assert.deepEqual(await statuses(), [401, 401, 401])
    assert.match((await owner.get(path)).text, /Nobody has a token that works now/)
    const events = eventsOf((await owner.get(`/applications/${app.id}`)).text)
    assert.match(events, /Every token of “Cluster map” revoked/)
    assert.match(events, /A session of “Cluster map” ended/)
  })

  it('shows nobody else what there is, and lets nobody else end it', async () => {
    const tokens = await flow.tokens(stranger, app)
    const path = `/applications/${app.id}/sessions`
    const id = /name="session" value="(\d+)"/.exec((await owner.get(path)).text)?.[1] ?? ''
    const token = csrfTokenIn(await stranger.get('/applications/new'))
    assert.equal((await stranger.get(path)).status, 404)
    for (const last of ['end', 'end-all']) {
      assert.equal((await stranger.post(`${path}/${last}`, { csrf_token: token, session: id })).status, 404, last)
      assert.equal((await owner.post(`${path}/${last}`, { session: id })).status, 403, last)
    }
    assert.match((await visitorOf(world).get(path)).location ?? '', /^\/sign-in/)
    // Nor by way of an application of one's own.
    const mine = await flow.application({ owner: stranger.login })
    const other = `/applications/${mine.id}/sessions`
    assert.equal((await stranger.post(`${other}/end`, { csrf_token: token, session: id })).status, 404)
    assert.equal((await as(tokens.access_token).get('/v2/campus')).status, 200)
  })
})
