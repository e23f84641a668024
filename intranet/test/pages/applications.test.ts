import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { campus, type World } from '@campus/test/support/campus'
import { NO_CURL } from '@campus/test/support/curl'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { callsByHour } from '../../oauth/call-counts.ts'

const FIELDS = {
  name: 'Cluster map',
  description: 'Who sits where',
  website: 'https://map.example',
  native: [],
  redirect_uris: 'https://map.example/back\nhttp://localhost:3000/back',
  scopes: ['public', 'projects'],
}

const run = promisify(execFile)

const decoded = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

describe('the pages of applications', () => {
  let world: World
  let ada: SignedIn
  let eve: SignedIn
  before(async () => {
    world = await campus()
    ada = await signedInOf(world, { login: 'ada' })
    eve = await signedInOf(world, { login: 'eve' })
  })
  after(() => world.close())

  const credentialsIn = (text: string) => ({
    uid: /id="uid">([0-9a-f]{64})/.exec(text)?.[1] ?? '',
    secret: /id="secret">([0-9a-f]{64})/.exec(text)?.[1] ?? '',
  })

  const signOn = async ({ uid, secret }: { uid: string; secret: string }) => {
    const body = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
    return (await world.anonymous.post('/oauth/token', body)).status
  }

  const rowsOf = (ownerId: number) =>
    world.database.rows('select id, name from applications where owner_id = $1 order by id', [ownerId])

  /** A new application of Ada's. */
  async function register(fields = {}) {
    const page = await ada.browser.submit('/applications/new', { ...FIELDS, ...fields })
    assert.equal(page.status, 200, page.text)
    const id = Number(/\/applications\/(\d+)"/.exec(page.text)?.[1])
    return { id, page, ...credentialsIn(page.text) }
  }

  it('register one without asking anybody, and show its secret once', async () => {
    const { id, page, uid, secret } = await register()
    assert.equal(page.heading, 'Cluster map is registered')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(await signOn({ uid, secret }), 200)
    const later = await ada.browser.get(`/applications/${id}`)
    assert.equal(later.heading, 'Cluster map')
    assert.ok(later.text.includes(uid) && !later.text.includes(secret))
    for (const part of [
      'Who sits where',
      'https://map.example/back',
      'http://localhost:3000/back',
      'public, projects',
    ]) {
      assert.ok(later.text.includes(part), part)
    }
    assert.match((await ada.browser.get('/applications')).text, />Cluster map</)
  })

  it('show a first request that works as it stands, and settings for a program', { skip: NO_CURL }, async () => {
    const { page, uid, secret } = await register()
    const shown = (id: string) => decoded(new RegExp(`id="${id}">([^<]*)<`).exec(page.text)?.[1] ?? '')
    assert.equal(shown('env'), `CAMPUS_URL=${world.url}\nCAMPUS_ID=${uid}\nCAMPUS_SECRET=${secret}`)
    const { stdout } = await run('sh', ['-c', shown('first-request')])
    assert.deepEqual(JSON.parse(stdout), (await world.visitor.get('/v2/campus')).json)
  })

  it('copy by a script of our own, and by no other', async () => {
    const { page } = await register()
    const script = /<script src="(\/assets\/copy\.js\?v=\w+)" type="module"><\/script>/.exec(page.text)?.[1] ?? ''
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';/)
    assert.match((await ada.browser.get(script)).headers.get('content-type') ?? '', /^text\/javascript/)
    assert.match(page.text, /<button[^>]* data-copies="secret"[^>]*>Copy the secret<\/button>/)
    const without = await ada.browser.get('/applications')
    assert.deepEqual(without.text.match(/<script src="[^?]+/g), ['<script src="/assets/palette.js'])
  })

  it('give no secret to one that runs on people’s own machines', async () => {
    const { page, uid, secret } = await register({ native: ['yes'], redirect_uris: 'org.example.map:/back' })
    assert.match(page.text, /It has no secret/)
    assert.match(uid, /^[0-9a-f]{64}$/)
    assert.equal(secret, '')
  })

  it('show a refused form again, with what was typed and each fault beside its field', async () => {
    const before = await rowsOf(ada.id)
    const page = await ada.browser.submit('/applications/new', {
      name: 'my app',
      description: '<b>&"bold"',
      website: 'map',
      redirect_uris: 'http://a.example/',
      scopes: ['public', 'forum'],
      public: ['yes'],
    })
    assert.equal(page.status, 422)
    assert.equal(page.heading, 'Register an application')
    assert.match(page.text, /id="name-fault">is too generic/)
    assert.match(page.text, /id="website-fault">must be a web address/)
    assert.match(page.text, /id="redirect_uris-fault">/)
    assert.match(page.text, /value="my app" id="name" name="name" aria-describedby="name-hint name-fault"/)
    assert.match(page.text, /&lt;b&gt;&amp;&quot;bold&quot;/)
    assert.match(page.text, /value="forum" checked/)
    assert.match(page.text, /name="public\[\]" value="yes" checked/)
    assert.ok(!page.text.includes('<b>'))
    assert.deepEqual(await rowsOf(ada.id), before)
  })

  it('change one, and say what is wrong with a change', async () => {
    const { id } = await register()
    const form = { ...FIELDS, name: 'Seat map', scopes: ['public'], redirect_uris: '' }
    const saved = await ada.browser.submit(`/applications/${id}/edit`, form)
    assert.equal(saved.location, `/applications/${id}`)
    const page = await ada.browser.get(`/applications/${id}`)
    assert.equal(page.heading, 'Seat map')
    assert.match(page.text, /Saved\./)
    assert.match(page.text, /“Seat map” changed: name, scopes, redirect_uris/)
    const refused = await ada.browser.submit(`/applications/${id}/edit`, { ...form, name: 'test' })
    assert.deepEqual([refused.status, refused.heading], [422, 'Change Seat map'])
  })

  it('make another secret, and keep the former one for as long as was chosen', async () => {
    const { id, uid, secret } = await register()
    const renewed = await ada.browser.submit(`/applications/${id}/secret`, { grace: '1' })
    assert.equal(renewed.heading, 'New secret for Cluster map')
    const second = credentialsIn(renewed.text).secret
    assert.notEqual(second, secret)
    assert.deepEqual([await signOn({ uid, secret }), await signOn({ uid, secret: second })], [200, 200])
    world.clock.advance(86_401)
    assert.deepEqual([await signOn({ uid, secret }), await signOn({ uid, secret: second })], [401, 200])
    const third = credentialsIn((await ada.browser.submit(`/applications/${id}/secret`, { grace: '0' })).text).secret
    assert.deepEqual([await signOn({ uid, secret: second }), await signOn({ uid, secret: third })], [401, 200])
    assert.equal((await ada.browser.submit(`/applications/${id}/secret`, { grace: '400' })).status, 422)
    assert.equal(await signOn({ uid, secret: third }), 200)
  })

  it('delete one after asking, and end its tokens', async () => {
    const { id, uid, secret } = await register()
    const body = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
    const { access_token } = (await world.anonymous.post('/oauth/token', body)).json
    assert.equal((await ada.browser.get(`/applications/${id}/delete`)).heading, 'Delete Cluster map?')
    const gone = await ada.browser.submit(`/applications/${id}/delete`, {})
    assert.equal(gone.location, '/applications')
    assert.match((await ada.browser.get('/applications')).text, /Cluster map is deleted\./)
    assert.equal((await ada.browser.get(`/applications/${id}`)).status, 404)
    const call = await world.anonymous.get('/v2/campus', { authorization: `Bearer ${access_token}` })
    assert.equal(call.status, 401)
  })

  it('draw the calls of the last day, with those that were refused', async () => {
    const { id } = await register()
    const hour = new Date(Math.floor(world.clock.now().getTime() / 3_600_000) * 3_600_000)
    await world.database.rows('insert into application_calls values ($1, $2, 40, 10), ($1, $3, 3, 0)', [
      ...[id, hour.toISOString(), new Date(hour.getTime() - 3_600_000).toISOString()],
    ])
    assert.equal((await callsByHour(world.database, id, { now: world.clock.now(), hours: 2 })).length, 2)
    const { text } = await ada.browser.get(`/applications/${id}`)
    assert.match(text, /43 calls in the last 24 hours, 10 of them refused/)
    assert.equal(text.match(/<rect class="chart-calls"/g)?.length, 2)
    assert.equal(text.match(/<rect class="chart-refused"/g)?.length, 1)
    assert.match(text, /<td data-label="Refused">10<\/td><td data-label="Answered">30<\/td>/)
  })

  it('are there for the owner only: a stranger neither sees nor touches them', async () => {
    const { id, uid, secret } = await register({ name: 'Private diary' })
    const token = csrfTokenIn(await eve.browser.get('/applications/new'))
    for (const path of [
      `/applications/${id}`,
      ...['edit', 'secret', 'delete'].map((last) => `/applications/${id}/${last}`),
    ]) {
      const page = await eve.browser.get(path)
      assert.equal(page.status, 404, path)
      assert.ok(!page.text.includes('Private diary') && !page.text.includes(uid))
      if (path === `/applications/${id}`) continue
      const sent = await eve.browser.post(path, { ...FIELDS, csrf_token: token, name: 'Stolen diary', grace: '0' })
      assert.equal(sent.status, 404, path)
    }
    assert.equal((await ada.browser.get(`/applications/${id}`)).heading, 'Private diary')
    assert.equal(await signOn({ uid, secret }), 200)
  })

  it('do nothing for a form that another site sends, or without the token', async () => {
    const { id } = await register({ name: 'Steady ground' })
    const before = await rowsOf(ada.id)
    const token = csrfTokenIn(await ada.browser.get('/applications/new'))
    const strangers = csrfTokenIn(await eve.browser.get('/applications/new'))
    for (const [fields, headers] of [
      [{}, {}],
      [{ csrf_token: 'x' }, {}],
      [{ csrf_token: strangers }, {}],
      [{ csrf_token: token }, { origin: 'https://evil.example' }],
      [{ csrf_token: token }, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      for (const path of ['/applications/new', `/applications/${id}/delete`, `/applications/${id}/edit`]) {
        const page = await ada.browser.post(path, { ...FIELDS, ...fields }, headers)
        assert.deepEqual([page.status, page.heading], [403, 'This form was refused'], path)
      }
    }
    assert.deepEqual(await rowsOf(ada.id), before)
  })

  it('ask who is not signed in to do so first, and come back', async () => {
    const page = await visitorOf(world).get('/applications/new')
    assert.equal(page.location, '/sign-in?return_to=%2Fapplications%2Fnew')
  })

  it('answer an address that is none with a page that says so', async () => {
    for (const path of ['/applications/0', '/applications/99999999999', '/applications/abc', '/applications/1.5']) {
      assert.equal((await ada.browser.get(path)).status, 404, path)
    }
  })

  it('list the public ones for everybody, to be searched and paged through', async () => {
    await register({ name: 'Bus times', public: ['yes'], description: 'When <the> bus comes' })
    await register({ name: 'Hidden gem' })
    const { text } = await eve.browser.get('/public-applications')
    assert.match(text, />Bus times</)
    assert.match(text, /When &lt;the&gt; bus comes/)
    assert.ok(!text.includes('Hidden gem'))
    assert.match((await eve.browser.get('/public-applications?q=BUS')).text, />Bus times</)
    assert.match((await eve.browser.get('/public-applications?q=ada')).text, />Bus times</)
    for (const nothing of ['%25', '_', 'zzz', '%5C']) {
      assert.match((await eve.browser.get(`/public-applications?q=${nothing}`)).text, /No application matches/, nothing)
    }
    for (let count = 10; count < 36; count += 1) await register({ name: `Map number ${count}`, public: ['yes'] })
    const first = (await eve.browser.get('/public-applications?q=map')).text
    assert.equal(first.match(/<article/g)?.length, 25)
    assert.match(first, /href="\/public-applications\?q=map&amp;page=2" rel="next"/)
    const second = (await eve.browser.get('/public-applications?q=map&page=2')).text
    assert.equal(second.match(/<article/g)?.length, 1)
    assert.match(second, /rel="prev"/)
  })
})
