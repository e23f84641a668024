import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cleanPlan, namesIn, writePlan } from '../../src/domain/school/clean-plan.ts'
import { HttpError } from '../../src/errors.ts'
import { campus, type World } from '../support/campus.ts'
import { type SignedIn, signedInOf } from '../support/people.ts'
import { visitorOf } from '../support/visitor.ts'

const PLAN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><g id="room" style="fill:#eee;stroke:#999">
<rect id="c1r1s1" x="10" y="10" width="20" height="30"/><circle id="c1r1s2" cx="60" cy="25" r="10"/></g><text x="5" y="90">Room &amp; door</text></svg>`
const file = (text: string) => new File([text], 'floor.svg', { type: 'image/svg+xml' })

describe('the seats of a campus', () => {
  let world: World
  let here: number
  let ada: SignedIn
  let bob: SignedIn
  let staff: SignedIn
  let stranger: SignedIn
  before(async () => {
    world = await campus({})
    here = await world.build.campus({ name: 'Lisbon' })
    const elsewhere = await world.build.campus({ name: 'Porto' })
    ada = await signedInOf(world, { login: 'ada', first_name: 'Ada', last_name: 'Lovelace', usual_first_name: null })
    bob = await signedInOf(world, { login: 'bob', first_name: 'Bob', last_name: 'Byron', usual_first_name: null })
    staff = await staffOf('lisa', here)
    stranger = await staffOf('porter', elsewhere)
    await sit(ada, 'c1r1s1')
    await sit(bob, 'c2r1s1')
    for (const host of ['c1r1s2', 'c1r2s1', 'c10r1s1']) await sit(bob, host, '2026-02-01T11:00:00Z')
    await sit(bob, 'c9r1s1', '2025-02-01T11:00:00Z', '2025-02-01T09:00:00Z')
    const bloc = await world.build.record('blocs', { campus_id: here, cursus_id: await world.build.cursus() })
    const otters = await world.build.record('coalitions', {
      name: 'Otters',
      slug: 'otters',
      color: '#123456',
      bloc_id: bloc,
    })
    await world.build.record('coalitions_users', { coalition_id: otters, user_id: ada.id })
  })
  after(() => world.close())

  async function staffOf(login: string, campusId: number): Promise<SignedIn> {
    const one = await signedInOf(world, { login, kind: 'admin' })
    await world.database.rows('delete from administrators where user_id = $1', [one.id])
    await world.build.record('campus_users', { user_id: one.id, campus_id: campusId, is_primary: true })
    return one
  }
  const sit = (one: SignedIn, host: string, end_at: string | null = null, begin_at = '2026-02-01T09:00:00Z') =>
    world.build.record('locations', { user_id: one.id, campus_id: here, host, begin_at, end_at, primary: true })

  it('are shown by floor with who sits there, those that are free and those seen lately alone', async () => {
    const { text } = await ada.browser.get(`/campuses/${here}`)
    assert.match(text, /Floor 1 <span class="quiet">1 of 3/)
    assert.match(text, /Floor 2 <span class="quiet">1 of 1/)
    assert.match(text, /Floor 10 <span class="quiet">0 of 1/)
    assert.doesNotMatch(text, /Floor 9/)
    assert.match(text, /class="seat taken" href="\/people\/ada" title="c1r1s1: Ada Lovelace \(Otters\)"/)
    assert.match(text, /fill="#123456"/)
    assert.match(text, /title="c1r1s2: free"/)
    assert.doesNotMatch(text, /\/people\/bob/, 'bob sits on another floor')
  })

  it('point at somebody by login, name or the beginning of one, on whichever floor they are', async () => {
    for (const find of ['bob', 'BOB', 'byr', 'Bob By']) {
      const { text } = await ada.browser.get(`/campuses/${here}?find=${encodeURIComponent(find)}`)
      assert.match(text, /class="seat taken found" href="\/people\/bob"/, find)
    }
    for (const find of ['zoe', '%', '<b>', 'x'.repeat(3000)]) {
      const { status, text } = await ada.browser.get(`/campuses/${here}?find=${encodeURIComponent(find)}`)
      assert.equal(status, 200)
      assert.match(text, /is logged in here/)
      assert.doesNotMatch(text, /<b>/)
    }
  })

  it('are shown as staff of the campus draw them', async () => {
    const path = `/staff/seats/${here}`
    assert.equal((await staff.browser.upload(path, { name: 'Cluster 1', svg: file(PLAN) })).status, 303)
    assert.match((await staff.browser.get(path)).text, /2 computers of 5/)
    const { text } = await ada.browser.get(`/campuses/${here}`)
    assert.match(text, /Cluster 1 <span class="quiet">1 of 2/)
    assert.match(text, /<a class="plan-seat taken" href="\/people\/ada" aria-label="c1r1s1: Ada Lovelace">/)
    assert.match(text, /Room &#38; door/)
    assert.match(text, /Floor 1 <span class="quiet">0 of 1/, 'what is not drawn stays in its rows')
    const id = /name="id" value="(\d+)"/.exec((await staff.browser.get(path)).text)?.[1] ?? ''
    assert.equal((await staff.browser.submit(path, { wish: 'delete-plan', id, confirmed: 'yes' })).status, 303)
    assert.doesNotMatch((await ada.browser.get(`/campuses/${here}`)).text, /Cluster 1/)
  })

  it('are drawn by staff of the campus alone', async () => {
    const path = `/staff/seats/${here}`
    assert.equal((await ada.browser.get(path)).status, 403)
    const { text, status } = await stranger.browser.get(path)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /type="file"/)
    const form = { csrf_token: /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '' }
    const requests: Record<string, string>[] = [
      { wish: 'kiosk', screen: 'x' },
      { wish: 'delete-plan', id: '1' },
      { name: 'x' },
    ]
    for (const more of requests) assert.equal((await stranger.browser.post(path, { ...form, ...more })).status, 403)
    assert.deepEqual(await world.database.rows('select count(*) from kiosks'), [['0']])
  })

  it('are refused as a drawing that is none, with what is wrong', async () => {
    for (const [svg, why] of [
      ['', /must be chosen|is not/],
      ['hello', /well formed/],
      ['<svg viewBox="0 0 1 1">', /well formed/],
      ['<html><body/></html>', /not an SVG/],
      ['<svg><rect id="a"/></svg>', /viewBox/],
      [`<svg viewBox="0 0 1 1">${'<g>'.repeat(50)}${'</g>'.repeat(50)}</svg>`, /too deep/],
      [`<svg viewBox="0 0 1 1">${'<g/>'.repeat(4000)}</svg>`, /too many/],
      [`<svg viewBox="0 0 1 1"><text>${'x'.repeat(70_000)}</text></svg>`, /65[, ]?536|bytes/],
      ['<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 1 1"><text>&a;</text></svg>', /well formed/],
    ] as const) {
      const answer = await staff.browser.upload(`/staff/seats/${here}`, { name: 'One', svg: file(svg) })
      assert.equal(answer.status, 422, svg.slice(0, 60))
      assert.match(answer.text, why, svg.slice(0, 60))
    }
    assert.equal((await staff.browser.upload(`/staff/seats/${here}`, { name: ' ', svg: file(PLAN) })).status, 422)
  })

  it('on a screen are shown with its token alone, and nothing else is', async () => {
    const made = await staff.browser.submit(`/staff/seats/${here}`, { wish: 'kiosk', screen: 'Hall' })
    const token = /\/wall\?token=([\w-]{43})/.exec(made.text)?.[1] ?? ''
    assert.notEqual(token, '')
    assert.doesNotMatch((await staff.browser.get(`/staff/seats/${here}`)).text, /token=/)
    assert.deepEqual(await world.database.rows(`select 1 from kiosks where token_digest = $1`, [token]), [])

    const screen = visitorOf(world)
    assert.equal((await screen.get('/wall')).status, 403)
    assert.equal((await screen.get('/wall?token=nonsense')).status, 403)
    assert.equal((await screen.get(`/wall?token=${token}`)).location, '/wall')
    const { status, text } = await screen.get('/wall')
    assert.deepEqual([status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]], [200, 'Lisbon'])
    assert.match(text, />ada</)
    assert.doesNotMatch(text, /href="\/people|<nav|@/)
    for (const path of [
      `/campuses/${here}`,
      `/campuses/${here}/wall`,
      '/people',
      '/staff/users',
      '/changes?of=/v2/users',
    ])
      assert.match(String((await screen.get(path)).location), /^\/sign-in/, path)

    const id = /name="id" value="(\d+)"/.exec((await staff.browser.get(`/staff/seats/${here}`)).text)?.[1] ?? ''
    await staff.browser.submit(`/staff/seats/${here}`, { wish: 'delete-kiosk', id, confirmed: 'yes' })
    assert.equal((await screen.get('/wall')).status, 403)
  })

  it('for who is signed in fill a screen, too', async () => {
    const { text } = await ada.browser.get(`/campuses/${here}/wall`)
    assert.match(text, />bob</)
    assert.doesNotMatch((await ada.browser.get(`/campuses/${here}/wall?floor=1`)).text, />bob</)
  })
})

describe('a plan', () => {
  it('draws and does nothing else, whatever it holds', () => {
    const hostile = `<?xml version="1.0"?><!DOCTYPE svg><?php echo 1 ?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="a()" onclick="b()">
      <script>c()</script><style>@import url(//evil)</style><foreignObject><iframe src="//evil"/></foreignObject>
      <image href="//evil/x.png"/><use href="#x"/><a href="javascript:d()"><rect id="inside"/></a><set attributeName="href" to="javascript:e()"/>
      <rect id="ok" width="1" height="1" fill="url(//evil)" style="fill:url('//evil');stroke:red;behavior:url(x)" onmouseover="f()"/>
      <rect id="a&quot;b" width="1"/><rect id="${'x'.repeat(99)}" width="1"/><circle r="1" fill="javascript:g()"/>
      <text>&lt;script&gt;h()&lt;/script&gt;<![CDATA[<img src=x onerror=i()>]]></text><!-- <b>j()</b> --><g transform="translate(1,2)"/></svg>`
    const plan = cleanPlan(hostile)
    const written = writePlan(plan)
    assert.doesNotMatch(written, /<(script|style|foreignObject|iframe|image|use|a|set|img|b)\b/i)
    assert.doesNotMatch(written, /evil|javascript|\son\w+=|url\(|behavior|href/i)
    assert.match(written, /stroke="red"/)
    assert.match(written, /translate\(1,2\)/)
    assert.deepEqual(namesIn(plan), ['ok'])
    assert.equal(writePlan(cleanPlan(written)), written, 'what is clean stays as it is')
  })

  it('without a viewBox has the one of its size', () => {
    assert.match(writePlan(cleanPlan('<svg width="30px" height="20"/>')), /viewBox="0 0 30 20"/)
    assert.throws(() => cleanPlan('<svg width="0" height="-1"/>'), HttpError)
  })
})
