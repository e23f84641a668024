import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { EventStream } from '../../src/changes/streams/event-stream.ts'

const event = (bytes: number) => Buffer.alloc(bytes, 'x')

describe('an event stream', () => {
  it('sends what came before it began after the first events', async () => {
    const stream = new EventStream(() => 0.5)
    stream.send(Buffer.from('second'))
    stream.begin(Buffer.from('first '))
    stream.end()
    assert.equal((await stream.toArray()).join(''), 'retry: 3000\n\nfirst second')
  })

  it('is cut off where its reader leaves more than 256 KB unread', async () => {
    const stream = new EventStream()
    stream.begin(event(1))
    for (let n = 0; n < 4; n += 1) stream.send(event(60_000))
    assert.equal(stream.destroyed, false)
    const closed = once(stream, 'close')
    stream.send(event(60_000))
    await closed
    stream.send(event(1))
  })

  it('sends nothing after its end, and nothing but its end where that comes before it has begun', async () => {
    const stream = new EventStream(() => 0.5)
    stream.send(Buffer.from('before'))
    stream.end(Buffer.from('last'))
    stream.begin(Buffer.from('first'))
    stream.end()
    stream.send(Buffer.from('after'))
    assert.equal((await stream.toArray()).join(''), 'retry: 3000\n\nlast')
  })

  it('lasts from 10 to 15 minutes', () => {
    for (const [chance, minutes] of [
      [0, 10],
      [0.5, 12.5],
      [0.9999999, 15],
    ] as const) {
      const { endsAt } = new EventStream(() => chance)
      assert.equal(Math.round((endsAt - performance.now()) / 6_000) / 10, minutes)
    }
  })
})
