import { hash, randomBytes } from 'node:crypto'
import type { Tls } from '@campus/engine/http/tls'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Answer } from '../ask.ts'
import type { Rows } from '../bare/rows.ts'
import { type FixedLine, TOKEN_PATH } from './lines.ts'

type Dependencies = {
  readonly answers: ReadonlyMap<FixedLine, Answer>
  readonly rows: Rows
  readonly tls: Tls
}

/** Table of the plain server's tokens. */
export const PLAIN_TOKENS = 'bench_tokens'

const INSERT = {
  name: 'token',
  text: `insert into ${PLAIN_TOKENS} (digest, created_at) values ($1, now())`,
}

/**
 * The reference of fixed costs: plain Fastify with our TLS, which answers with the headers and bodies that ours
 * answered. It identifies no caller, counts nothing and logs nothing; for a token it commits one row, as ours does.
 */
export async function createPlainServer({ answers, rows, tls }: Dependencies): Promise<FastifyInstance> {
  const app = Fastify({ http2: true, https: { ...tls, allowHTTP1: true, minVersion: 'TLSv1.2' } } as object)
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  for (const [{ request }, { status, headers, body }] of answers) {
    const { method = 'GET', path } = request
    app.route({
      method,
      url: path,
      async handler(_request, reply) {
        if (path === TOKEN_PATH) await rows(INSERT, [hash('sha256', randomBytes(32), 'buffer')])
        return reply.code(status).headers(headers).send(body)
      },
    })
  }
  return app
}
