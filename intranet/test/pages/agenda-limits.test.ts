import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import ICAL from 'ical.js'

const DAYS = 50
const HOURS = 15
/** First of the 50 days. The 40 days before the current day have 2,400 quarters of an hour. */
const FIRST = Date.parse('2026-01-21T07:00:00Z')
const DAY_MS = 86_400_000
const TODAY = '2026-03-02'

describe('an agenda with more slots than entries of a calendar', () => {
  let world: World
  let ada: SignedIn
  let addresses: readonly string[]
  before(async () => {
    world = await campus({})
    ada = await signedInOf(world, { login: 'ada' })
    const place = await world.build.campus({ time_zone: 'UTC' })
    await world.build.record('campus_users', { user_id: ada.id, campus_id: place, is_primary: true })
    await world.database.rows(
      `insert into slots (user_id, begin_at, end_at)
       select $1, quarter, quarter + interval '15 minutes'
       from generate_series(0, $3 - 1) as day,
         generate_series(
           $2::timestamptz + day * interval '24 hours',
           $2::timestamptz + day * interval '24 hours' + interval '14 hours 45 minutes',
           interval '15 minutes') as quarter`,
      [ada.id, new Date(FIRST), DAYS],
    )
    addresses = [...(await ada.browser.get('/agenda')).text.matchAll(/id="(?:own|campus)-calendar">([^<]*)</g)].map(
      ([, address = '']) => address.replaceAll('&amp;', '&').slice(world.url.length),
    )
  })
  after(() => world.close())

  const entriesIn = (text: string) =>
    [...text.matchAll(/class="entry[^>]*title="([^"]*)"/g)].map(([, title = '']) => title)
  async function eventsOf(path = '') {
    const answer = await world.agent.request({ origin: world.url, path, method: 'GET' })
    return new ICAL.Component(ICAL.parse(await answer.body.text()))
      .getAllSubcomponents('vevent')
      .map((one) => new ICAL.Event(one))
      .map(({ startDate, endDate }) => [startDate.toJSDate(), endDate.toJSDate()].map((time) => time.toISOString()))
  }

  it('has one calendar entry for each day with 15 hours of neighbouring slots', async () => {
    const expected = Array.from({ length: DAYS }, (_, day) => {
      const begin = FIRST + day * DAY_MS
      return [new Date(begin).toISOString(), new Date(begin + HOURS * 3_600_000).toISOString()]
    })
    assert.deepEqual(await eventsOf(addresses[0]), expected)
  })

  it('shows each of these days in the month, the week and the list', async () => {
    const whole = '07:00 – 22:00 Slot, free'
    const shown = async (view: string) => entriesIn((await ada.browser.get(`/agenda?view=${view}&day=${TODAY}`)).text)
    assert.deepEqual(await shown('month'), Array(17).fill(whole))
    assert.deepEqual(await shown('week'), Array(7).fill(whole))
    const list = (await ada.browser.get(`/agenda?view=list&day=${TODAY}`)).text
    assert.equal(list.match(/07:00 – 22:00/g)?.length, 10)
  })

  it('lists each of the coming days where time is offered', async () => {
    const page = (await ada.browser.get('/evaluations')).text
    assert.equal(page.match(/– 22:00/g)?.length, 10)
    assert.equal(page.match(/value="withdraw"/g)?.length, 10)
    const home = (await ada.browser.get('/')).text
    assert.equal(home.match(/– 22:00/g)?.length, 6)
  })

  it('withdraws a whole offer of 15 hours at once', async () => {
    const page = (await ada.browser.get('/evaluations')).text
    const forms = [...page.matchAll(/name="slots" value="([\d,]+)"/g)].map(([, ids = '']) => ids)
    assert.equal(forms[1]?.split(',').length, HOURS * 4)
    await ada.browser.submit('/evaluations', { wish: 'withdraw', slots: forms[1] ?? '' })
    const left = await world.database.rows(
      `select count(*) from slots where begin_at >= '2026-03-03' and begin_at < '2026-03-04'`,
    )
    assert.deepEqual(left, [['0']])
  })

  describe('and more events than entries of a calendar', () => {
    before(async () => {
      await world.database.rows(
        `with made as (
           insert into events (name, kind, description, location, begin_at, end_at)
           select 'Talk ' || n, 'conference', 'x', 'Agora', begin, begin + interval '30 minutes'
           from generate_series(1, 3900) n,
             lateral (select timestamptz '2026-02-10T00:00:00Z' + n * interval '15 minutes' as begin) at
           returning id),
         placed as (
           insert into events_campus (event_id, campus_id) select id, (select max(id) from campus) from made)
         insert into events_users (event_id, user_id, waiting) select id, $1, false from made`,
        [ada.id],
      )
    })

    it('keeps everything to come and fills up with the latest of what is over', async () => {
      for (const address of addresses) {
        const events = await eventsOf(address)
        assert.equal(events.length, 2_000)
        const times = events.map(([begin = '']) => begin)
        assert.deepEqual(times, times.toSorted())
        assert.equal(times.at(-1)?.slice(0, 10), '2026-03-22')
        assert.ok(String(times[0]) > '2026-03-01')
      }
    })
  })
})
