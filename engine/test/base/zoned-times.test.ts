import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aheadOfUtc, shownIn, zonedTime } from '../../base/zoned-times.ts'
import { timeKind, withTimeZone } from '../../rest/declare/fields/kinds.ts'

const HOUR_MS = 3_600_000
const ZONES = ['Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Auckland', 'UTC']
const YEARS = ['0001', '0050', '0999', '1000', '1899', '1970', '2026', '9999']

describe('a time without an offset', () => {
  for (const zone of ZONES)
    for (const year of YEARS)
      it(`of the year ${year} is the time at which clocks of ${zone} show it`, () => {
        const time = zonedTime(zone, `${year}-06-15`, '12:34')
        assert.ok(time)
        assert.deepEqual(shownIn(zone, time), { day: `${year}-06-15`, time: '12:34' })
        const read = withTimeZone(`${year}-06-15 12:34`, zone)
        assert.equal(timeKind.read(read), time.toISOString())
      })

  it('that its zone moves beyond the years 1 to 9999 is refused as a time that does not exist', () => {
    for (const [text, zone] of [
      ['9999-12-31 23:59', 'America/New_York'],
      ['0001-01-01 00:00', 'Europe/Paris'],
    ] as const)
      assert.throws(() => timeKind.read(withTimeZone(text, zone)), /not a time that exists|not an ISO 8601 time/)
  })

  it('is what it was on days that begin before or end after all days of UTC', () => {
    assert.equal(zonedTime('Pacific/Kiritimati', '9999-12-31', '23:59')?.toISOString(), '9999-12-31T09:59:00.000Z')
    assert.equal(aheadOfUtc('Asia/Kathmandu', Date.UTC(2026, 0, 1)), 5.75 * HOUR_MS)
    assert.equal(aheadOfUtc('America/New_York', Date.UTC(2026, 0, 1)), -5 * HOUR_MS)
    assert.equal(aheadOfUtc('UTC', 0), 0)
  })

  it('takes no new formatter for each time of a zone', (t) => {
    const formatter = t.mock.method(Intl, 'DateTimeFormat')
    const local = t.mock.method(Date.prototype, 'toLocaleString')
    for (let minute = 10; minute < 60; minute += 1) withTimeZone(`2026-03-02 10:${minute}`, 'Europe/Berlin')
    assert.equal(local.mock.callCount(), 0)
    assert.ok(formatter.mock.callCount() <= 1, `${formatter.mock.callCount()} formatters`)
  })
})
