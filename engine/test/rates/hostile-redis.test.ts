/** A server of counts that answers slowly, wrongly or with what is not ours: each counts by itself then, and nobody goes uncounted. */
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { REDIS_SKIP, type RedisServer, redisServer } from '@campus/test/support/redis'
import { createClient } from '@redis/client'
import { MemoryRates } from '../../http/rates/memory-rates.ts'
import type { RateStore, Spending } from '../../http/rates/rate-store.ts'
import { RedisRates } from '../../http/rates/redis-rates.ts'
import { RefusalCache } from '../../http/rates/refusal-cache.ts'

const POINTS = 3
const spendingOf = (by: string): Spending => ({
  by,
  needs: 'every',
  windows: [
    { points: POINTS, seconds: 3600 },
    { points: 1_000, seconds: 7200 },
  ],
})

/** Counts in memory, and how often it was asked. */
function insurance(): RateStore & { asked: number } {
  const memory = new MemoryRates()
  return {
    asked: 0,
    spend(spending) {
      this.asked += 1
      return memory.spend(spending)
    },
  }
}

/** Reply to a count. Earlier commands succeed. */
type Reply = (socket: Socket) => void

describe('a server that is none', () => {
  let server: Server
  let reply: Reply
  const sockets = new Set<Socket>()
  before(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      let counts = 0
      socket.on('data', (chunk) => {
        // Several commands may come at once; each is an array.
        for (const command of chunk.toString().split(/(?=^\*\d+\r\n\$)/m)) {
          if (/\r\nHELLO\r\n/i.test(command)) socket.write('*2\r\n$5\r\nproto\r\n:2\r\n')
          else if (/\r\nSCRIPT\r\n/i.test(command)) socket.write(`$40\r\n${'a'.repeat(40)}\r\n`)
          else if (!/\r\nEVALSHA\r\n/i.test(command)) socket.write('+OK\r\n')
          else if (counts++ === 0) socket.write('*3\r\n:0\r\n:0\r\n:999999\r\n')
          else reply(socket)
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
  })
  after(() => server.close())

  const says =
    (text: string): Reply =>
    (socket) =>
      void socket.write(text)
  const WRONG: Readonly<Record<string, Reply>> = {
    nothing: () => {},
    'the end of the connection': (socket) => void socket.destroy(),
    'half a reply, and the end': (socket) => void socket.end('*4\r\n:0\r\n:0'),
    'half a reply, and nothing more': says('*4\r\n:0\r\n:0'),
    'one byte after the other': (socket) => {
      let at = 0
      const timer = setInterval(() => {
        if (socket.destroyed) clearInterval(timer)
        else socket.write('*4\r\n:0\r\n:0\r\n:2\r\n:999\r\n'[at++ % 22] ?? '')
      }, 200)
    },
    null: says('$-1\r\n'),
    OK: says('+OK\r\n'),
    'a number': says(':0\r\n'),
    'an empty array': says('*0\r\n'),
    'too few numbers': says('*2\r\n:0\r\n:0\r\n'),
    'too many numbers': says('*5\r\n:0\r\n:0\r\n:2\r\n:999\r\n:1\r\n'),
    texts: says('*4\r\n$1\r\n0\r\n$1\r\n0\r\n$1\r\n2\r\n$3\r\n999\r\n'),
    'a window that there is not': says('*4\r\n:7\r\n:0\r\n:2\r\n:999\r\n'),
    'a window before the first': says('*4\r\n:-1\r\n:0\r\n:2\r\n:999\r\n'),
    'a wait of years': says('*4\r\n:1\r\n:99999999999\r\n:0\r\n:999\r\n'),
    'more than a window has': says('*4\r\n:0\r\n:0\r\n:2000000\r\n:999\r\n'),
    'less than nothing': says('*4\r\n:0\r\n:0\r\n:-2\r\n:999\r\n'),
    'arrays in arrays': says('*1\r\n'.repeat(200_000)),
    'what is no reply at all': says('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'the length of a world': says(`$${'9'.repeat(30)}\r\nx`),
    'a length below zero': says('*-7\r\n$-9\r\n'),
    'a reply of 8 MiB': (socket) =>
      void socket.write(Buffer.concat([Buffer.from('$8388608\r\n'), Buffer.alloc(8_388_608)])),
    OOM: says("-OOM command not allowed when used memory > 'maxmemory'.\r\n"),
    MOVED: says('-MOVED 3999 127.0.0.1:6381\r\n'),
    READONLY: says("-READONLY You can't write against a read only replica.\r\n"),
    LOADING: says('-LOADING Redis is loading the dataset in memory\r\n'),
    NOSCRIPT: says('-NOSCRIPT No matching script.\r\n'),
    'an error of a megabyte': says(`-ERR ${'x'.repeat(1_000_000)}\r\n`),
  }

  for (const [what, wrong] of Object.entries(WRONG)) {
    it(`that says ${what}: each request is counted here, and refused beyond its rate`, async () => {
      reply = wrong
      const own = insurance()
      const failures: string[] = []
      const rates = new RedisRates({
        url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
        insurance: own,
        onStateChange: (failure) => failures.push(failure),
      })
      await rates.start()
      const store = new RefusalCache(rates)
      try {
        const spent = await Promise.all(Array.from({ length: 10 }, () => store.spend(spendingOf(what))))
        assert.equal(spent.filter(({ refusedBy }) => refusedBy === undefined).length, POINTS)
        assert.deepEqual(new Set(spent.map(({ refusedBy }) => refusedBy)), new Set([undefined, 0]))
        assert.ok(spent.every(({ waitMilliseconds }) => waitMilliseconds <= 3_600_000))
        assert.ok(own.asked >= 10)
        assert.match(failures[0] ?? '', /^does not answer \(/)
        assert.ok(
          failures.every((failure) => failure.length < 300),
          'what a log gets of it is short',
        )
      } finally {
        await rates.stop()
      }
    })
  }
})

describe('a Redis server with other data', { skip: REDIS_SKIP }, () => {
  let server: RedisServer
  let hand: ReturnType<typeof createClient>
  let rates: RedisRates
  const own = insurance()
  before(async () => {
    if (REDIS_SKIP) return
    server = await redisServer()
    hand = createClient({ url: server.url })
    await hand.connect()
    rates = new RedisRates({ url: server.url, insurance: own, onStateChange: () => {} })
    await rates.start()
  })
  after(async () => {
    await rates?.stop()
    hand?.destroy()
    await server?.remove()
  })

  const keyOf = (by: string) => `campus:{${by}}:${POINTS}/3600`
  async function accepted(by: string, times: number): Promise<number> {
    let count = 0
    for (let time = 0; time < times; time += 1)
      if ((await rates.spend(spendingOf(by))).refusedBy === undefined) count += 1
    return count
  }

  it('where its counts are, of another type or no number, counts anew and with an end', async () => {
    const strange: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      list: (key) => hand.rPush(key, ['a', 'b']),
      hash: (key) => hand.hSet(key, 'a', 'b'),
      text: (key) => hand.set(key, 'abc'),
      negative: (key) => hand.set(key, '-1000000'),
      fraction: (key) => hand.set(key, '1.5'),
      hexadecimal: (key) => hand.set(key, '0x1'),
      infinite: (key) => hand.set(key, 'inf'),
      huge: (key) => hand.set(key, '9223372036854775807'),
      empty: (key) => hand.set(key, ''),
    }
    for (const [by, write] of Object.entries(strange)) {
      await write(keyOf(by))
      assert.equal(await accepted(by, 6), POINTS, by)
      assert.ok((await hand.pTTL(keyOf(by))) > 0, by)
    }
    assert.equal(own.asked, 0)
  })

  it('without an end, or with a late one, refuses for one window at most', async () => {
    await hand.set(keyOf('for ever'), '3')
    await hand.set(keyOf('late'), '3', { expiration: { type: 'EX', value: 1e9 } })
    for (const by of ['for ever', 'late']) {
      const { refusedBy, waitMilliseconds } = await rates.spend(spendingOf(by))
      assert.deepEqual([refusedBy, waitMilliseconds], [0, 3_600_000])
      assert.ok((await hand.pTTL(keyOf(by))) <= 3_600_000)
    }
  })

  it('of which somebody has thrown all away, scripts included, goes on counting', async () => {
    assert.equal(await accepted('emptied', 2), 2)
    await hand.flushAll()
    await hand.sendCommand(['SCRIPT', 'FLUSH', 'SYNC'])
    assert.ok((await accepted('emptied', 10)) <= 2 * POINTS)
  })

  it('that has no memory left, or follows another, leaves the counting to each', async () => {
    for (const [by, begin, end] of [
      ['full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
      ['following', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ] as const) {
      await hand.sendCommand([...begin])
      const before = own.asked
      assert.equal(await accepted(by, 10), POINTS)
      assert.ok(own.asked >= before + 10, by)
      await hand.sendCommand([...end])
    }
  })
})
