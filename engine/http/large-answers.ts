import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Shorter bodies are written at once, since the pieces would cost more than they save. */
const MIN_BYTES = 262_144
/** Encrypting and writing a piece holds the event loop for less than a millisecond. */
const PIECE_BYTES = 65_536

/**
 * Sends bodies of at least `MIN_BYTES` in pieces, with a turn of the event loop between them. A client that requests many
 * large responses at the same time then delays other requests by one piece of each, not by whole responses.
 */
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
