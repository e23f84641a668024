import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, type Encoding } from './accept-encoding.ts'
import { compressed } from './compress.ts'
import { addVary } from './context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Must not be set where a response has a secret beside input of others: its length would reveal the secret (BREACH). */
    compresses?: boolean
  }
}

/** Smaller responses fit into one packet anyway. */
const MIN_BYTES = 1_400

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isNegotiated(request, reply)) return done(null, payload)
    addVary(reply, 'Accept-Encoding')
    const bytes = bytesOf(payload)
    const encoding = bytes && encodingFor(request, reply, bytes)
    if (!encoding) return done(null, payload)
    const end = (form: Buffer) => {
      reply.header('content-encoding', encoding)
      done(null, form)
    }
    const form = compressed(bytes, encoding)
    if (!(form instanceof Promise)) return end(form)
    form.then(end, done).catch((error) => request.log.error({ err: error }, 'an answer was not sent'))
  })
}

function isNegotiated({ method, routeOptions: { config } }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return config?.compresses === true && (statusCode === 200 || statusCode === 304) && method !== 'POST'
}

function encodingFor({ headers }: FastifyRequest, reply: FastifyReply, bytes: Buffer): Encoding | undefined {
  const { encoding, isPlainAccepted } = acceptedEncoding(headers['accept-encoding'])
  const isWorthIt = bytes.length >= MIN_BYTES || !isPlainAccepted
  return isWorthIt && !reply.hasHeader('content-encoding') ? encoding : undefined
}

function bytesOf(payload: unknown): Buffer | undefined {
  if (typeof payload === 'string' && payload !== '') return Buffer.from(payload)
  return payload instanceof Buffer && payload.length > 0 ? payload : undefined
}
