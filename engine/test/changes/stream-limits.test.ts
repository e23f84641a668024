import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OpenStreams, STREAM_LIMITS, type StreamOwner } from '../../changes/streams/limits.ts'
import { MemberRoom } from '../../changes/streams/member-room.ts'

const PLENTY = { ...STREAM_LIMITS, openedPerMinute: 100_000, openedPerMinuteByPerson: 100_000 }

/** Opens streams until one is refused, and returns how many were opened. */
function openAll(streams: OpenStreams, count: number, ownerOf: (n: number) => StreamOwner): number {
  for (let n = 0; n < count; n += 1) {
    try {
      streams.admit(ownerOf(n))
    } catch {
      return n
    }
  }
  return count
}
const token = (person: string) => (n: number) => ({ key: `${person} ${n}`, application: `${person} ${n}`, person })
const session = (person: string) => (n: number) => ({ key: `${person} s${n}`, application: undefined, person })

describe('the limits of streams', () => {
  it('count for a person across applications and tokens', () => {
    const streams = new OpenStreams({ ...PLENTY, perProcess: 2_000 })
    assert.equal(openAll(streams, 400, token('user 1')), 50)
    assert.equal(openAll(streams, 400, token('user 2')), 50)
    assert.equal(openAll(streams, 5, session('user 1')), 5, 'pages of the same person')
  })

  it('reserve streams for pages and screens when tokens have reached their limit', () => {
    const streams = new OpenStreams({ ...PLENTY, perProcess: 100 })
    assert.equal(
      openAll(streams, 200, (n) => token(`user ${n}`)(n)),
      75,
    )
    assert.equal(
      openAll(streams, 200, (n) => session(`user ${n}`)(n)),
      25,
    )
  })

  it('count openings for each screen separately, and for a person across applications', () => {
    const streams = new OpenStreams({ ...STREAM_LIMITS, perProcess: 2_000 })
    const reopen = (owner: StreamOwner) => {
      for (let n = 0; n < 100; n += 1) {
        try {
          streams.admit(owner)()
        } catch {
          return n
        }
      }
      return 100
    }
    for (const key of ['kiosk 1', 'kiosk 2']) assert.equal(reopen({ key, application: undefined, person: key }), 30)
    const opened = [1, 2, 3].map((n) => reopen({ key: `t${n}`, application: `${n}`, person: 'user 1' }))
    assert.deepEqual(opened, [30, 30, 0])
  })

  it('bound the watched records of one person and of all tokens, so that others and pages have room', () => {
    const room = new MemberRoom()
    const owner = (person: string, isPage = false) => ({ person, isPage })
    assert.equal(room.take(owner('user 1'), 100_001, 0), 'list')
    for (let n = 0; n < 2; n += 1) assert.equal(room.take(owner('user 1'), 100_000, 0), undefined)
    assert.equal(room.take(owner('user 1'), 1, 0), 'person')
    for (let n = 2; n < 8; n += 1) assert.equal(room.take(owner(`user ${n}`), 100_000, 0), undefined)
    assert.equal(room.take(owner('user 9'), 1, 0), 'process')
    assert.equal(room.take(owner('user 9', true), 100_000, 0), undefined)
    room.move(owner('user 1'), owner('user 2'), 100_000)
    assert.equal(room.take(owner('user 1'), 60_000, 100_000), undefined)
    room.release(owner('user 3'), 100_000)
    assert.equal(room.take(owner('user 9'), 1, 0), undefined)
  })
})
