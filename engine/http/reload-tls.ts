import type { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isSecure } from './listeners.ts'
import type { Tls } from './tls.ts'

const reloaded = new WeakMap<FastifyInstance, string>()

export function reloadTls(app: FastifyInstance, { cert, key }: Tls): void {
  const server: NetServer = app.server
  if (isSecure(server)) server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' })
  reloaded.set(app, cert)
}

export const reloadedCertificate = (app: FastifyInstance): string | undefined => reloaded.get(app)
