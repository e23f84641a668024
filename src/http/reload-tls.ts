import type { FastifyInstance } from 'fastify'
import { isSecure, listenersOf } from './listeners.ts'
import type { Tls } from './tls.ts'

/** Serves new connections with another certificate; those that stand keep theirs. */
export function reloadTls(app: FastifyInstance, { cert, key }: Tls): void {
  for (const server of listenersOf(app).filter(isSecure)) server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' })
}
