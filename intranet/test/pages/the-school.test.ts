import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { shownIn, zonedTime } from '@campus/engine/base/zoned-times'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { openProject, type Project } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import { csrfTokenIn, type Page, visitorOf } from '@campus/test/support/visitor'
import { SCOPES } from '../../access/scopes.ts'
import { shortened } from '../../pages/api-preview.ts'
import { floorsOf, placeOf } from '../../pages/school/seats.ts'

describe('The pages of the school', () => {
  let world: World
  let place: Project
  let ada: SignedIn
  let bob: SignedIn
  let cyd: SignedIn
  let boss: SignedIn
  before(async () => {
    world = await campus({ seeded: true })
    place = await openProject(world)
    ada = await enrolled('ada', { first_name: 'Ada', last_name: 'Lovelace' })
    bob = await enrolled('bob')
    cyd = await signedInOf(world, { login: 'cyd' })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
  })
  after(() => world.close())

  async function enrolled(login: string, values = {}): Promise<SignedIn> {
    const one = await signedInOf(world, { login, correction_point: 5, ...values })
    await world.build.record('campus_users', { user_id: one.id, campus_id: place.campus, is_primary: true })
    await world.build.record('cursus_users', {
      user_id: one.id,
      cursus_id: place.cursus,
      begin_at: '2026-01-01T00:00:00Z',
    })
    return one
  }
  const count = async (text: string, values: readonly unknown[] = []) =>
    Number((await world.database.rows(`select count(*) from ${text}`, values))[0]?.[0])
  /** Sends a form of a page to the page itself. */
  const submit = (one: SignedIn, path: string, fields: Readonly<Record<string, string>>) =>
    one.browser.submit(path, fields)
  const postAs = async ({ browser }: SignedIn, path: string, fields: Readonly<Record<string, string>>) =>
    browser.post(path, { csrf_token: csrfTokenIn(await browser.get('/evaluations')), ...fields })

  async function paths(): Promise<readonly string[]> {
    const [event] = (await world.database.rows('select id from events order by id limit 1')).flat()
    const [student] = (
      await world.database.rows("select login from users where kind = 'student' order by id limit 1")
    ).flat()
    const [seeded] = (await world.database.rows('select campus_id from locations where end_at is null limit 1')).flat()
    const [project] = (
      await world.database.rows('select project_id from teams group by 1 order by count(*) desc limit 1')
    ).flat()
    return [
      ...['/people', '/people?q=ada', `/people?campus=${place.campus}`, '/people/ada', `/people/${student}`],
      ...['/campuses', `/campuses/${place.campus}`, `/campuses/${seeded}`],
      ...['/events', '/events?when=past', `/events?campus=${place.campus}`, `/events/${event}`, '/evaluations'],
      ...['/projects', '/projects?q=lib', `/projects/${place.project}`, `/projects/${project}`],
    ]
  }

  it('ask whoever is not signed in to sign in', async () => {
    const nobody = visitorOf(world)
    for (const path of await paths()) {
      const { status, location } = await nobody.get(path)
      assert.equal(status, 303, path)
      assert.equal(location, `/sign-in?return_to=${encodeURIComponent(path)}`)
    }
  })

  it('show what the API tells the same person, staff included, and are small', async () => {
    let reported = 0
    const style = Buffer.byteLength((await ada.browser.get('/assets/style.css')).text)
    for (const one of [ada, cyd, boss]) {
      const client = await world.caller({ user: one.id, scopes: Object.keys(SCOPES) })
      for (const path of await paths()) {
        const page = await one.browser.get(path)
        assert.equal(page.status, 200, path)
        assert.ok(Buffer.byteLength(page.text) + style < 100_000, path)
        for (const { address, text } of saidByApi(page)) {
          reported += 1
          await holdAgainst(client, address, text)
        }
      }
    }
    assert.ok(reported > 60, `${reported} calls`)
  })

  async function holdAgainst(client: Client, address: string, text: string): Promise<void> {
    const { status, json } = await client.get(address)
    assert.equal(status, 200, address)
    const said = JSON.stringify(shortened(json), null, 2)
    assert.ok(said === text || said.startsWith(text.replace(/\n…$/, '')), `${address} says ${said}, the page ${text}`)
  }

  it('refuse what the API refuses: whoever is not there, and closed accounts', async () => {
    const closed = await world.build.user({ login: 'gone', closed_at: '2026-01-01T00:00:00Z' })
    await world.build.record('closes', { user_id: closed, kind: 'other', reason: 'left', state: 'close' })
    for (const [path, status] of [
      ['/people/nobody-of-this-name', 404],
      ['/people/gone', 403],
      ['/people/%00', 404],
      ['/campuses/99999999', 404],
      ['/campuses/99999999999', 404],
      ['/campuses/x', 404],
      ['/projects/99999999', 404],
      ['/events/99999999', 404],
      ['/evaluations/teams/99999999', 404],
    ] as const) {
      assert.equal((await ada.browser.get(path)).status, status, path)
    }
  })

  it('show the people of one’s campus at once, and find others by a part of their name or the first letters of a login', async () => {
    const atOnce = (await ada.browser.get('/people')).text
    assert.match(atOnce, /href="\/people\/bob"/)
    assert.match(atOnce, new RegExp(`<option value="${place.campus}" selected>`))
    assert.match((await ada.browser.get('/people?q=lovel')).text, /href="\/people\/ada"/)
    for (const start of ['a', 'ad', 'AD']) {
      const { text } = await ada.browser.get(`/people?q=${start}`)
      assert.match(text, /href="\/people\/ada"/, start)
      assert.doesNotMatch(text, /href="\/people\/bob"/, start)
    }
    for (const nobody of ['%25%25%25', ',', 'a,b'])
      assert.match((await ada.browser.get(`/people?q=${nobody}`)).text, /Nobody matches/)
    assert.match((await ada.browser.get(`/people?campus=${place.campus}`)).text, /href="\/people\/bob"/)
    const all = (await ada.browser.get('/people?campus=all')).text
    const others = (await ada.browser.get('/people?campus=all&pool_year=2025')).text
    const countIn = (text: string) => Number(/([\d,]+) (?:people|person)\b/.exec(text)?.[1]?.replace(',', ''))
    assert.ok(
      countIn(all) > countIn(others) && countIn(all) > countIn(atOnce),
      `${countIn(all)} ${countIn(others)} ${countIn(atOnce)}`,
    )
    const ofCursus = (await ada.browser.get(`/people?cursus=${place.cursus}`)).text
    assert.match(ofCursus, /GET \/v2\/cursus\/\d+\/users\?sort=login/)
    assert.match(ofCursus, /<option value="all" selected>/)
  })

  it('show who sits where at a campus, by floor and row', async () => {
    for (const [user_id, host] of [
      [ada.id, 'c2r10p3'],
      [bob.id, 'c2r9p12'],
      [cyd.id, 'reception'],
    ] as const)
      await world.build.location({ user_id, campus_id: place.campus, host })
    const { text } = await cyd.browser.get(`/campuses/${place.campus}?floor=2`)
    const shown = /data-refresh="seats"[^>]*>([\s\S]*?)<div class="grid/.exec(text)?.[1] ?? ''
    const words = shown
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    assert.equal(words, 'Floor 2 2 of 2 Elsewhere 1 of 1 Floor 2 Row 9 bob Row 10 ada')
    await world.database.rows('delete from locations where campus_id = $1', [place.campus])
    const empty = await cyd.browser.get(`/campuses/${place.campus}`)
    assert.match(empty.text, /Nobody is logged in at this campus now/)
  })

  it('let no scripts run but those of the service, and none for visitors', async () => {
    const policyOf = async (path: string, browser = ada.browser) =>
      (await browser.get(path)).headers.get('content-security-policy') ?? ''
    for (const path of [`/campuses/${place.campus}`, '/people/ada', '/campuses'])
      assert.match(await policyOf(path), /script-src 'self'; connect-src 'self'/)
    assert.ok(!(await policyOf('/', visitorOf(world))).includes('script'))
    // Passkeys come by scripts alone.
    assert.match(await policyOf('/sign-in', visitorOf(world)), /script-src 'self'; connect-src 'self'/)
    assert.equal(
      (await ada.browser.get('/assets/refresh.js')).headers.get('content-type'),
      'text/javascript; charset=utf-8',
    )
  })

  describe('of events', () => {
    const event = (values: Readonly<Record<string, unknown>> = {}) =>
      world.build.record('events', {
        ...{ name: 'A talk', description: 'On <b>seats</b>', kind: 'conference' },
        ...{ begin_at: '2026-03-05T18:00:00Z', end_at: '2026-03-05T20:00:00Z', ...values },
      })

    it('register and let people leave, for themselves alone', async () => {
      const path = `/events/${await event()}`
      assert.equal((await submit(ada, path, { wish: 'register' })).status, 303)
      assert.match((await ada.browser.get(path)).text, /You are registered\./)
      assert.match((await bob.browser.get(path)).text, /not registered[\s\S]*href="\/people\/ada"/)
      assert.ok(!(await bob.browser.get(path)).text.includes('<b>seats'))
      await submit(bob, path, { wish: 'leave', user_id: String(ada.id) })
      assert.equal(await count('events_users where user_id = $1', [ada.id]), 1)
      const again = await submit(ada, path, { wish: 'register' })
      assert.equal(again.status, 422)
      assert.match(again.text, /class="problem" role="alert"/)
      await submit(ada, path, { wish: 'leave' })
      assert.equal(await count('events_users where user_id = $1', [ada.id]), 0)
    })

    it('name the button of a registration in French as people say it', async () => {
      const { text } = await ada.browser.get(`/events/${await event()}`, { 'accept-language': 'fr' })
      assert.match(text, />S’inscrire à l’événement<\/button>/)
    })

    it('say on the form why the API refuses', async () => {
      const full = await event({ max_people: 1 })
      await submit(ada, `/events/${full}`, { wish: 'register' })
      const refused = await submit(bob, `/events/${full}`, { wish: 'register' })
      assert.equal(refused.status, 422)
      assert.match(refused.text, /This event: is full/)
      const late = await event({ begin_at: '2026-03-02T12:00:00Z', prohibition_of_cancellation: 24 })
      await submit(ada, `/events/${late}`, { wish: 'register' })
      const tooLate = await submit(ada, `/events/${late}`, { wish: 'leave' })
      assert.match(tooLate.text, /This event: cannot be left later than 24 hours before it begins/)
      assert.equal(await count('events_users where event_id = $1', [late]), 1)
    })

    it('let people wait for a place where there is a line', async () => {
      const full = await event({ max_people: 0 })
      const line = await world.build.record('waitlists', { event_id: full })
      await world.database.rows('update events set waitlist_id = $1 where id = $2', [line, full])
      await submit(ada, `/events/${full}`, { wish: 'register' })
      assert.match((await ada.browser.get(`/events/${full}`)).text, /The event is full: you wait for a place/)
    })

    it('take no form from elsewhere', async () => {
      const path = `/events/${await event()}`
      assert.equal((await ada.browser.post(path, { wish: 'register' })).status, 403)
      assert.equal((await visitorOf(world).post(path, { wish: 'register' })).status, 403)
    })
  })

  describe('of evaluations', () => {
    it('offer time in the zone of the school, and take it back', async () => {
      const made = await submit(ada, '/evaluations', {
        wish: 'offer',
        day: '2026-03-03',
        begin_at: '14:00',
        end_at: '15:00',
      })
      assert.equal(made.status, 303)
      assert.equal(await count("slots where user_id = $1 and begin_at = '2026-03-03T14:00:00Z'", [ada.id]), 1)
      const { text } = await ada.browser.get('/evaluations')
      const ids = /name="slots" value="([\d,]+)"/.exec(text)?.[1] ?? ''
      assert.equal(ids.split(',').length, 4)
      assert.equal((await postAs(bob, '/evaluations', { wish: 'withdraw', slots: ids })).status, 403)
      assert.equal(await count('slots where user_id = $1', [ada.id]), 4)
      for (const _ of [1, 2]) {
        assert.equal((await postAs(ada, '/evaluations', { wish: 'withdraw', slots: ids })).status, 303)
        assert.equal(await count('slots where user_id = $1', [ada.id]), 0)
      }
    })

    it('say on the fields why the API refuses an offer', async () => {
      const offer = (day: string, begin_at: string, end_at: string) =>
        submit(ada, '/evaluations', { wish: 'offer', day, begin_at, end_at })
      assert.match(
        (await offer('2026-03-03', '14:00', '14:15')).text,
        /id="end_at-fault">must be at least 30 minutes after begin_at/,
      )
      assert.match(
        (await offer('2026-03-01', '14:00', '15:00')).text,
        /id="begin_at-fault">must be at least 30 minutes from now/,
      )
      assert.match((await offer('tomorrow', '14:00', '15:00')).text, /id="day-fault">must be a day with two times/)
      assert.equal(await count('slots where user_id = $1', [ada.id]), 0)
    })

    it('book for members of a team, who cancel', async () => {
      const team = await closedTeamOf(ada)
      const dan = await enrolled('dan')
      await offered(world, bob.id, '2026-03-03T09:00:00Z', 30)
      // Half an hour, but of two people; time of a member; time of a stranger to the project; and too long ahead.
      await offered(world, dan.id, '2026-03-03T09:30:00Z', 15)
      await offered(world, ada.id, '2026-03-03T11:00:00Z', 60)
      await offered(world, cyd.id, '2026-03-03T12:00:00Z', 60)
      await offered(world, bob.id, '2026-03-30T09:00:00Z', 60)
      const path = `/evaluations/teams/${team}`
      const page = await ada.browser.get(path)
      assert.equal(page.text.match(/name="begin_at" value="/g)?.length, 1)
      assert.ok(!page.text.includes('bob'))

      const begin_at = '2026-03-03T09:00:00.000Z'
      assert.equal((await cyd.browser.get(path)).status, 404)
      assert.equal((await postAs(cyd, path, { begin_at, confirmed: 'yes' })).status, 403)
      assert.equal(await count('scale_teams where team_id = $1', [team]), 0)
      const refused = await submit(ada, path, { begin_at: '2026-03-03T23:00:00.000Z', confirmed: 'yes' })
      assert.equal(refused.status, 422)
      assert.match(refused.text, /This time: is no time at which somebody offers/)
      for (const wrong of ['', 'x'.repeat(1000), '2026-99-99'])
        assert.equal((await submit(ada, path, { begin_at: wrong })).status, 422, wrong)

      assert.equal((await submit(ada, path, { begin_at })).heading, 'Book this evaluation?')
      assert.equal(await count('scale_teams where team_id = $1', [team]), 0)
      assert.equal((await submit(ada, path, { begin_at, confirmed: 'yes' })).status, 303)
      const own = await ada.browser.get('/evaluations')
      assert.match(own.text, /you are evaluated/)
      assert.ok(!own.text.includes('/people/bob'))
      const others = await bob.browser.get('/evaluations')
      assert.match(others.text, /you evaluate/)
      assert.match(others.text, /badge waiting">booked/)
      assert.ok(!others.text.includes('/people/ada'))

      const evaluation = /action="(\/evaluations\/\d+)"/.exec(own.text)?.[1] ?? ''
      const cancel = { wish: 'cancel', confirmed: 'yes' }
      assert.equal((await postAs(cyd, evaluation, cancel)).status, 404)
      assert.equal((await postAs(ada, '/evaluations/x', cancel)).status, 404)
      assert.equal((await postAs(ada, evaluation, { wish: 'cancel' })).heading, 'Cancel the evaluation?')
      assert.equal(await count('scale_teams where team_id = $1', [team]), 1)
      assert.equal((await postAs(ada, evaluation, cancel)).status, 303)
      assert.equal(await count('scale_teams where team_id = $1', [team]), 0)
    })
  })

  async function closedTeamOf({ id }: SignedIn): Promise<number> {
    const client = await world.caller({ user: id, scopes: ['public', 'projects'] })
    const made = await client.post('/v2/teams', { team: { project_id: place.project } })
    await client.patch(`/v2/teams/${made.json.id}`, { team: { closed_at: '2026-03-01T00:00:00Z' } })
    return made.json.id
  }
})

/** The calls that a page names, each with what it says that the API answers. */
function saidByApi({ text }: Page): readonly { address: string; text: string }[] {
  const decoded = (one = '') =>
    one.replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[String(name)] ?? '',
    )
  return [...text.matchAll(/<h3 class="code">GET ([^<]*)<\/h3>\s*<pre[^>]*>([^<]*)<\/pre>/g)].map(
    ([, address, said]) => ({
      address: decoded(address),
      text: decoded(said),
    }),
  )
}

describe('A seat', () => {
  const seat = { floor: null, row: null, post: null }

  it('is where the record says, else where the name of the host says', () => {
    assert.deepEqual(placeOf({ ...seat, host: 'c1r2p3' }), { floor: '1', row: '2', post: '3' })
    assert.deepEqual(placeOf({ ...seat, host: 'c10r2s13' }), { floor: '10', row: '2', post: '13' })
    assert.deepEqual(placeOf({ ...seat, host: 'e1z4r5p6' }), { floor: '4', row: '5', post: '6' })
    assert.deepEqual(placeOf({ host: 'c1r2p3', floor: '7', row: '8', post: '9' }), { floor: '7', row: '8', post: '9' })
    for (const host of ['reception', 'c1', 'r2p3', '', 'c1r2p'])
      assert.equal(placeOf({ ...seat, host }), undefined, host)
  })

  it('stands in the order of numbers', () => {
    const hosts = ['c10r1p1', 'desk', 'c2r10p2', 'c2r9p1', 'c2r10p10', 'c2r10p9'].map((host) => ({ ...seat, host }))
    const floors = floorsOf({ hosts, sittings: [], coalitions: [] })
    assert.deepEqual(
      floors.map(({ floor, rows }) => [floor, rows.map(({ row, seats }) => [row, seats.map(({ post }) => post)])]),
      [
        [
          '2',
          [
            ['9', ['1']],
            ['10', ['2', '9', '10']],
          ],
        ],
        ['10', [['1', ['1']]]],
        ['', [['', ['desk']]]],
      ],
    )
  })
})

describe('Time that is offered', () => {
  it('is read by the clocks of the zone, also on the days on which they change', () => {
    const at = (zone: string, day: string, time: string) => zonedTime(zone, day, time)?.toISOString()
    assert.equal(at('Europe/Paris', '2026-01-15', '14:00'), '2026-01-15T13:00:00.000Z')
    assert.equal(at('Europe/Paris', '2026-03-29', '10:00'), '2026-03-29T08:00:00.000Z')
    assert.equal(at('America/New_York', '2026-11-01', '12:30'), '2026-11-01T17:30:00.000Z')
    assert.equal(at('Asia/Kolkata', '2026-03-02', '00:15'), '2026-03-01T18:45:00.000Z')
    assert.deepEqual(shownIn('Asia/Kolkata', new Date('2026-03-01T18:45:30Z')), { day: '2026-03-02', time: '00:15' })
    for (const [day, time] of [
      ['2026-3-2', '10:00'],
      ['2026-02-30', '25:00'],
      ['', ''],
      ['x'.repeat(9999), '10:00'],
    ])
      assert.equal(zonedTime('UTC', String(day), String(time)), undefined)
  })
})
