import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateOf, dayOf, hourOf, plainTime, shortDay, weekDay } from '../../pages/times.ts'

const TIME = Date.parse('2026-03-02T23:30:00Z')
const QUARTER_MS = 900_000

describe('a time on a page', () => {
  it('is shown in the time zone of the reader', () => {
    const time = new Date(TIME)
    const shown = (timeZone: string) => [dayOf({ timeZone }, time), hourOf({ timeZone }, time)]
    assert.deepEqual(shown('Europe/Paris'), ['2026-03-03', '00:30'])
    assert.deepEqual(shown('America/New_York'), ['2026-03-02', '18:30'])
    assert.deepEqual([weekDay('2026-03-03'), shortDay('2026-03-03')], ['Tue', '3 Mar'])
  })

  it('is formatted by formatters that all times of a zone share', (test) => {
    const formatter = test.mock.method(Intl, 'DateTimeFormat')
    const local = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const
    const mocks = local.map((name) => test.mock.method(Date.prototype, name))
    const context = { timeZone: 'Europe/Berlin' }
    for (let at = 0; at < 50; at += 1) {
      const time = new Date(TIME + at * QUARTER_MS)
      const day = dayOf(context, time)
      String([hourOf(context, time), plainTime(context, time), dateOf(context, time), shortDay(day), weekDay(day)])
    }
    assert.deepEqual(
      mocks.map((mock) => mock.mock.callCount()),
      [0, 0, 0],
    )
    assert.ok(formatter.mock.callCount() <= 6, `${formatter.mock.callCount()} formatters`)
  })

  it('is formatted by a limited number of kept formatters, although a cookie can spell a zone in many ways', (test) => {
    const formatter = test.mock.method(Intl, 'DateTimeFormat')
    const spelled = (number: number) =>
      [...'asia/kolkata'].map((char, at) => ((number >> at) & 1 ? char.toUpperCase() : char)).join('')
    for (let number = 0; number < 500; number += 1) hourOf({ timeZone: spelled(number) }, new Date(TIME))
    const before = formatter.mock.callCount()
    hourOf({ timeZone: spelled(0) }, new Date(TIME))
    assert.equal(formatter.mock.callCount(), before + 1)
  })
})
