import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inSlices } from '@campus/engine/base/slices'
import { Changes } from '@campus/engine/database/changes'
import ICAL from 'ical.js'
import { CalendarCache } from '../../pages/calendar-cache.ts'
import { calendarText } from '../../pages/calendar-text.ts'
import type { AgendaEntry } from '../../school/domain/school/agenda-between.ts'

const turn = () => new Promise((done) => setImmediate(done))

describe('the cache of calendars', () => {
  it('builds a calendar once for simultaneous requests, until a table of it or the day changes', async () => {
    const changes = new Changes()
    const cache = new CalendarCache(changes)
    let builds = 0
    const get = (day = 1) =>
      cache.get('user 1', day, async () => {
        builds += 1
        await turn()
        return `build ${builds}`
      })
    const all = await Promise.all(Array.from({ length: 16 }, () => get()))
    assert.deepEqual([builds, new Set(all).size], [1, 1])
    changes.record('topics')
    assert.equal((await get()).body.toString(), 'build 1')
    changes.record('slots')
    assert.equal((await get()).body.toString(), 'build 2')
    assert.equal((await get(2)).body.toString(), 'build 3')
  })

  it('shares no build that began before a change', async () => {
    const changes = new Changes()
    const cache = new CalendarCache(changes)
    let name = 'old'
    const get = () =>
      cache.get('user 1', 1, async () => {
        const read = name
        await turn()
        return read
      })
    const first = get()
    await Promise.resolve()
    name = 'new'
    changes.record('events')
    assert.equal((await get()).body.toString(), 'new')
    await first
    assert.equal((await get()).body.toString(), 'new')
  })

  it('caches no failed build', async () => {
    const cache = new CalendarCache(new Changes())
    await assert.rejects(
      cache.get('user 1', 1, () => Promise.reject(new Error('away'))),
      /away/,
    )
    assert.equal((await cache.get('user 1', 1, async () => 'back')).body.toString(), 'back')
  })

  it('builds two calendars at a time, however many are requested', async () => {
    const cache = new CalendarCache(new Changes())
    let [running, most] = [0, 0]
    await Promise.all(
      Array.from({ length: 16 }, (_, user) =>
        cache.get(`user ${user}`, 1, async () => {
          running += 1
          most = Math.max(most, running)
          await turn()
          running -= 1
          return ''
        }),
      ),
    )
    assert.equal(most, 2)
  })
})

describe('the text of a calendar', () => {
  const entries: AgendaEntry[] = Array.from({ length: 2_000 }, (_, id) => ({
    kind: 'event',
    id,
    title: `Talk ${id}`,
    location: 'Hall',
    begin_at: new Date(id * 1e7),
    end_at: new Date(id * 1e7 + 1),
    state: 'open',
  }))
  const feed = { name: 'ada', entries, baseUrl: 'https://campus.test', now: new Date(0) }

  it('is made with a pause after each entry', () => {
    const work = calendarText(feed)
    let pauses = 0
    while (!work.next().done) pauses += 1
    assert.equal(pauses, entries.length)
  })

  it('yields to the event loop while it is made', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      if (isDone) return
      turns += 1
      setImmediate(count)
    }
    setImmediate(count)
    const text = await inSlices(calendarText(feed))
    isDone = true
    assert.ok(turns > 1)
    assert.equal(text.match(/BEGIN:VEVENT/g)?.length, entries.length)
  })

  it('escapes line breaks in names, titles and locations', async () => {
    const [entry] = entries
    assert.ok(entry)
    const hostile = 'a\r\nX-EVIL:1\nX-EVIL:2'
    const text = await inSlices(
      calendarText({ ...feed, name: hostile, entries: [{ ...entry, title: hostile, location: hostile }] }),
    )
    assert.doesNotMatch(text, /^X-EVIL/m)
  })

  it('has no characters that iCalendar forbids or that programs take for line breaks', async () => {
    const [entry] = entries
    assert.ok(entry)
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((one) =>
      /\p{Cc}/u.test(one),
    )
    const title = `A${[...controls, '\u2028', '\u2029'].join('b')}Z`
    const text = await inSlices(calendarText({ ...feed, name: title, entries: [{ ...entry, title, location: title }] }))
    assert.doesNotMatch(text.replaceAll('\r\n', ''), /(?!\t)[\p{Cc}\u2028\u2029]/u)
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
    const shown = event?.getFirstPropertyValue('summary')
    assert.match(String(shown), /^A[b\s]*Z$/)
    assert.equal(event?.getFirstPropertyValue('location'), shown)
  })

  it('has a component if it has no entries', async () => {
    const text = await inSlices(calendarText({ ...feed, entries: [] }))
    const calendar = new ICAL.Component(ICAL.parse(text))
    assert.deepEqual(
      calendar.getAllSubcomponents().map(({ name }) => name),
      ['vtimezone'],
    )
    assert.match(text, /BEGIN:VTIMEZONE\r\nTZID:UTC\r\n/)
  })
})
