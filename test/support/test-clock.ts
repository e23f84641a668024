import type { Clock } from '@campus/engine/base/clock'

/** A clock that stands where it is put. */
export type TestClock = Clock & { set(time: Date | string): void; advance(seconds: number): void }

export function testClock(start: Date): TestClock {
  let time = start
  return {
    now: () => time,
    set(to) {
      time = new Date(to)
    },
    advance(seconds) {
      time = new Date(time.getTime() + seconds * 1000)
    },
  }
}
