import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const MIN_BYTES = 262_144
/** Encrypting and writing a piece blocks the event loop for less than a millisecond. */
const PIECE_BYTES = 65_536

/** Sends large bodies in pieces with turns of the event loop between them, so that they delay other requests by one piece only. */
export function sendLargeAnswersInPieces(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    if (payload.length < MIN_BYTES) return done(null, payload)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    reply.header('content-length', bytes.length)
    done(null, Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: PIECE_BYTES }))
  })
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES)
    await setImmediate()
  }
}
