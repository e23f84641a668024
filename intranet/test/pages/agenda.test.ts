import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { closedTeam, openProject, type Project } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import ICAL from 'ical.js'

describe('the agenda', () => {
  let world: World
  let place: Project
  let ada: SignedIn
  let bob: SignedIn
  let talk: number
  let scale: string
  before(async () => {
    world = await campus({})
    place = await openProject(world)
    scale = String((await world.database.rows('select name from scales'))[0]?.[0])
    ada = await enrolled('ada')
    bob = await enrolled('bob')
    talk = await eventOf('A talk, about; "things"\nand more é你', '2026-03-03T18:00:00Z', '2026-03-03T19:00:00Z')
    await world.build.record('events_users', { event_id: talk, user_id: ada.id })
    await eventOf('Elsewhere', '2026-03-04T18:00:00Z', '2026-03-04T19:00:00Z')
    await world.build.record('exams', {
      name: 'Exam 00',
      campus_id: place.campus,
      location: 'Hall',
      ...day('2026-03-05'),
    })
    await world.build.record('exams', { name: 'Hidden', campus_id: place.campus, visible: false, ...day('2026-03-05') })
    await offered(world, ada.id, '2026-03-06T09:00:00Z', 60)
    const client = await world.caller({ user: ada.id, scopes: ['public', 'projects'] })
    const team = await closedTeam(client, place.project)
    await offered(world, bob.id, '2026-03-06T14:00:00Z')
    const booked = await client.post('/v2/scale_teams', {
      scale_team: { team_id: team, begin_at: '2026-03-06T14:00:00Z' },
    })
    assert.equal(booked.status, 201)
  })
  after(() => world.close())

  async function enrolled(login: string): Promise<SignedIn> {
    const one = await signedInOf(world, { login, correction_point: 5 })
    await world.build.record('campus_users', { user_id: one.id, campus_id: place.campus, is_primary: true })
    const begin_at = '2026-01-01T00:00:00Z'
    await world.build.record('cursus_users', { user_id: one.id, cursus_id: place.cursus, begin_at })
    return one
  }
  const day = (one: string) => ({ begin_at: `${one}T10:00:00Z`, end_at: `${one}T13:00:00Z` })
  async function eventOf(name: string, begin_at: string, end_at: string): Promise<number> {
    const values = { name, description: 'x', location: 'Agora', kind: 'conference', begin_at, end_at }
    const id = await world.build.record('events', values)
    await world.build.record('events_campus', { event_id: id, campus_id: place.campus })
    return id
  }
  const entriesIn = (text: string) =>
    [...text.matchAll(/class="entry[^>]*title="([^"]*)"/g)].map(([, title = '']) => title.replaceAll('&quot;', '"'))

  it('shows what is one’s own, in a week, a month and a list, each entry once', async () => {
    const week = entriesIn((await ada.browser.get('/agenda')).text)
    assert.deepEqual(
      week,
      [
        '18:00 – 19:00 A talk, about; "things"\nand more é你',
        '09:00 – 10:00 Slot, free',
        `14:00 – 14:30 You are evaluated: ${scale}`,
      ].toSorted((one, other) => week.indexOf(one) - week.indexOf(other)),
    )
    assert.equal(entriesIn((await ada.browser.get('/agenda?view=month')).text).length, 3)
    const list = (await ada.browser.get('/agenda?view=list')).text
    assert.match(list, /Fri 6 Mar/)
    assert.doesNotMatch(list, /bob|Elsewhere/)
    assert.deepEqual(entriesIn((await ada.browser.get('/agenda?day=2026-03-12')).text), [])
  })

  it('names both days of an event that ends on another day', async () => {
    const cleo = await enrolled('cleo')
    const times = { begin_at: '2026-03-10T10:00:00Z', end_at: '2026-03-11T10:00:00Z' }
    const about = { name: 'Hackathon', description: 'x', location: 'Agora', kind: 'hackathon' }
    const event = await world.build.record('events', { ...about, ...times })
    await world.build.record('events_users', { event_id: event, user_id: cleo.id })
    const span = '10 Mar 2026, 10:00 – 11 Mar 2026, 10:00'
    assert.match((await cleo.browser.get('/agenda?view=list')).text, new RegExp(span))
    assert.deepEqual(entriesIn((await cleo.browser.get('/agenda?view=month')).text), [`${span} Hackathon`])
  })

  it('shows all of the campus on request, without what is hidden', async () => {
    const { text } = await bob.browser.get('/agenda?of=campus')
    assert.match(text, /A talk/)
    assert.match(text, /Exam: Exam 00/)
    assert.doesNotMatch(text, /Hidden/)
    assert.match(text, /You evaluate: Scale \d/)
    assert.doesNotMatch(text, /\bada\b/)
  })

  it('shows this week where the address asks for nonsense', async () => {
    for (const query of ['day=2026-99-99', 'day=x', 'view=year', `day=${'9'.repeat(5000)}`, 'day[]=1'])
      assert.equal((await ada.browser.get(`/agenda?${query}`)).status, 200, query.slice(0, 40))
    for (const query of ['day=1900-01-01', 'day=2199-12-31&view=month', 'day=2024-02-29&view=month'])
      assert.equal((await ada.browser.get(`/agenda?${query}`)).status, 200, query)
  })

  it('takes an offer of time, and says what is wrong with it', async () => {
    const offer = (begin_at: string, end_at: string) =>
      ada.browser.submit('/agenda', { wish: 'offer', day: '2026-03-09', begin_at, end_at })
    assert.equal((await offer('10:00', '11:00')).location, '/agenda?day=2026-03-09')
    assert.equal((await offer('12:00', '12:05')).status, 422)
  })

  describe('as a calendar', () => {
    const addressesOf = async (one: SignedIn) =>
      [...(await one.browser.get('/agenda')).text.matchAll(/id="(own|campus)-calendar">([^<]*)</g)].map(
        ([, , address = '']) => address.replaceAll('&amp;', '&').slice(world.url.length),
      )
    const get = async (path = '') => {
      const answer = await world.agent.request({ origin: world.url, path, method: 'GET' })
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    }
    /** Parses a calendar with a published library, and fails if it is not valid. */
    const read = (text: string) =>
      new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))

    it('is what a stock parser reads, with every entry, whatever its text', async () => {
      const [own] = await addressesOf(ada)
      const { status, headers, text } = await get(own)
      assert.deepEqual([status, headers['content-type']], [200, 'text/calendar; charset=utf-8'])
      const found = read(text)
      assert.deepEqual(
        found.map(({ summary, startDate }) => [summary, startDate.toJSDate().toISOString()]),
        [
          ['A talk, about; "things"\nand more é你', '2026-03-03T18:00:00.000Z'],
          ['Slot, free', '2026-03-06T09:00:00.000Z'],
          [`You are evaluated: ${scale}`, '2026-03-06T14:00:00.000Z'],
          ['Slot, free', '2026-03-09T10:00:00.000Z'],
        ],
      )
      assert.equal(new Set(found.map(({ uid }) => uid)).size, found.length)
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
      assert.doesNotMatch(text, /bob/)
    })

    it('of the campus has its events and exams', async () => {
      const [, campusFeed] = await addressesOf(bob)
      assert.deepEqual(
        read((await get(campusFeed)).text).map(({ summary }) => summary.slice(0, 9)),
        ['A talk, a', 'Elsewhere', 'Exam: Exa'],
      )
    })

    it('answers 304 until something changes, and then is never stale', async () => {
      const [own = ''] = await addressesOf(ada)
      const etag = String((await get(own)).headers.etag)
      const ask = () =>
        world.agent.request({ origin: world.url, path: own, method: 'GET', headers: { 'if-none-match': etag } })
      const same = await ask()
      assert.deepEqual([same.statusCode, await same.body.text()], [304, ''])
      await world.database.rows('update events set name = $2 where id = $1', [talk, 'Another talk'])
      const changed = await ask()
      assert.equal(changed.statusCode, 200)
      assert.match(await changed.body.text(), /SUMMARY:Another talk\r/)
    })

    it('opens by its own secret alone, which can be renewed and ends with the account', async () => {
      const [own = '', ofCampus = ''] = await addressesOf(ada)
      const [bobs = ''] = await addressesOf(bob)
      const token = new URL(bobs, world.url).searchParams.get('token')
      for (const path of [
        `/v2/users/${ada.id}/agenda.ics`,
        `/v2/users/${ada.id}/agenda.ics?token=${token}`,
        `/v2/users/${ada.id}/agenda.ics?token[]=1`,
        '/v2/users/x/agenda.ics?token=1',
        '/v2/users/99999999999/agenda.ics?token=1',
        `/v2/campus/${place.campus}/agenda.ics?of=${ada.id}&token=${token}`,
        ofCampus.replace(`/campus/${place.campus}/`, '/campus/999/'),
      ])
        assert.equal((await get(path)).status, 404, path)
      await ada.browser.submit('/agenda', { wish: 'renew', confirmed: 'yes' })
      assert.equal((await get(own)).status, 404)
      const [renewed = ''] = await addressesOf(ada)
      assert.equal((await get(renewed)).status, 200)
      assert.equal((await get(bobs)).status, 200)
      await world.database.rows('update users set closed_at = now() where id = $1', [bob.id])
      assert.equal((await get(bobs)).status, 404)
    })
  })
})
