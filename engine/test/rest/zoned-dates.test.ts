import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zonedDateKind } from '../../rest/declare/fields/kinds.ts'

/** The clocks change in the night of the day, hours after the midnight that is shown. */
describe('the midnight of a day on which the clocks change', () => {
  for (const [zone, day, offset] of [
    ['Europe/Paris', '2026-03-29', '+01:00'],
    ['Europe/Paris', '2026-10-25', '+02:00'],
    ['America/New_York', '2026-03-08', '-05:00'],
    ['America/New_York', '2026-11-01', '-04:00'],
  ] as const) {
    it(`${day} in ${zone} has the offset ${offset}`, () => {
      assert.equal(zonedDateKind(zone).write(day), `"${day}T00:00:00.000${offset}"`)
    })
  }

  for (const [zone, day, offset] of [
    ['Australia/Sydney', '2026-10-04', '+10:00'],
    ['Australia/Sydney', '2026-04-05', '+11:00'],
    ['Pacific/Auckland', '2026-09-27', '+12:00'],
  ] as const) {
    it(`${day} in ${zone} has the offset ${offset}`, () =>
      assert.equal(zonedDateKind(zone).write(day), `"${day}T00:00:00.000${offset}"`))
  }
})
