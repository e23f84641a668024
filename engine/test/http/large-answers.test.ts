import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { answerHead } from '../../http/head.ts'
import { sendLargeAnswersInPieces } from '../../http/large-answers.ts'

const PIECE_BYTES = 65_536
const LARGE = { text: 'é'.repeat(500_000), bytes: Buffer.alloc(1_000_001, 7) }
const AT_ONCE = 16

/** Writes of response bodies, each with its turn of the event loop and its length. */
const writes: { readonly turn: number; readonly length: number }[] = []
let turn = 0
let app: FastifyInstance
let url: string

before(async () => {
  app = Fastify()
  answerHead(app)
  sendLargeAnswersInPieces(app)
  app.addHook('onRequest', async (_request, { raw }) => {
    const write = raw.write.bind(raw)
    raw.write = (chunk: Buffer, ...rest: unknown[]) => {
      writes.push({ turn, length: chunk.length })
      return Reflect.apply(write, raw, [chunk, ...rest])
    }
  })
  app.get<{ Params: { name: keyof typeof LARGE } }>('/:name', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(LARGE[request.params.name]),
  )
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => app.close())

describe('a large answer', () => {
  for (const name of ['text', 'bytes'] as const) {
    it(`arrives whole and with its length (${name})`, async () => {
      const response = await fetch(`${url}/${name}`)
      const expected = Buffer.from(LARGE[name])
      assert.equal(response.headers.get('content-length'), String(expected.length))
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(expected))
    })
  }

  it('has its length in the answer to HEAD', async () => {
    const response = await fetch(`${url}/text`, { method: 'HEAD' })
    assert.equal(response.headers.get('content-length'), '1000000')
    assert.equal(await response.text(), '')
  })

  it('is written in pieces, at most one for each answer in a turn of the event loop', async () => {
    writes.length = 0
    const counting = { isOver: false }
    const count = () => {
      turn += 1
      if (!counting.isOver) setImmediate(count)
    }
    count()
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => fetch(`${url}/bytes`)))
    for (const response of responses) assert.equal((await response.arrayBuffer()).byteLength, LARGE.bytes.length)
    counting.isOver = true
    assert.ok(Math.max(...writes.map(({ length }) => length)) <= PIECE_BYTES)
    const perTurn = Map.groupBy(writes, (write) => write.turn)
    assert.ok(perTurn.size >= LARGE.bytes.length / PIECE_BYTES, `${perTurn.size} turns`)
    for (const together of perTurn.values()) assert.ok(together.length <= AT_ONCE, `${together.length} pieces`)
  })
})
