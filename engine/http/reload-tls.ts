import type { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isSecure } from './listeners.ts'
import type { Tls } from './tls.ts'

/** Certificates that took the place of those that services began with. */
const reloaded = new WeakMap<FastifyInstance, string>()

/** Serves new connections with another certificate; open ones keep theirs. */
export function reloadTls(app: FastifyInstance, { cert, key }: Tls): void {
  const server: NetServer = app.server
  if (isSecure(server)) server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' })
  reloaded.set(app, cert)
}

/** The certificate of new connections, where it is not the one that the service began with. */
export const reloadedCertificate = (app: FastifyInstance): string | undefined => reloaded.get(app)
