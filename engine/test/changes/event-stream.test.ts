import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { EventStream } from '../../changes/streams/event-stream.ts'

const event = (bytes: number) => Buffer.alloc(bytes, 'x')

describe('an event stream', () => {
  it('sends what came before it began after the first events', async () => {
    const stream = new EventStream(() => 0.5)
    stream.offer(Buffer.from('second'))
    stream.begin(Buffer.from('first '))
    stream.end()
    assert.equal((await stream.toArray()).join(''), 'retry: 3000\n\nfirst second')
  })

  it('refuses events while more than 256 KB are unread, and accepts them after the reader has read', async () => {
    const stream = new EventStream()
    const response = new PassThrough({ highWaterMark: 1024 })
    stream.pipe(response)
    stream.begin(event(1))
    let taken = 0
    while (taken < 100 && stream.offer(event(60_000))) taken += 1
    assert.ok(taken >= 3 && taken <= 5, `${taken}`)
    assert.equal(stream.destroyed, false)
    assert.equal(stream.isStalled(performance.now() + 59_000), false)
    assert.equal(stream.isStalled(performance.now() + 61_000), true)
    response.resume()
    await stream.untilRead()
    assert.equal(stream.isStalled(performance.now() + 61_000), false)
    assert.equal(stream.offer(event(60_000)), true)
  })

  it('ends its response when it is cut, and buffers no more than the limit until then', async () => {
    const stream = new EventStream()
    const response = new PassThrough({ highWaterMark: 1024 })
    stream.pipe(response)
    stream.begin(event(1))
    for (let n = 0; n < 1_000; n += 1) stream.offer(event(10_000))
    assert.ok(response.writableLength + response.readableLength <= 300 * 1024)
    const closed = Promise.all([once(stream, 'close'), once(response, 'close')])
    stream.cut()
    await closed
    assert.equal(stream.isEnding, true)
  })

  it('sends nothing after its end, and nothing but its end where that comes before it has begun', async () => {
    const stream = new EventStream(() => 0.5)
    stream.offer(Buffer.from('before'))
    stream.end(Buffer.from('last'))
    stream.begin(Buffer.from('first'))
    stream.end()
    stream.offer(Buffer.from('after'))
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
