import type { FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'

/** Everything that the service is made of and does not make itself. */
export type Parts = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string }
  /** 32 bytes that seal webservice secrets at rest. */
  readonly secretKey: Buffer
}

/** Mounts everything and starts nothing. */
export async function createApp(_parts: Parts): Promise<FastifyInstance> {
  throw new Error('in the making')
}
