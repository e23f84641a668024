import type { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Tls } from './tls.ts'

/** Serves new connections with another certificate; those that stand keep theirs. */
export function reloadTls(app: FastifyInstance, { cert, key }: Tls): void {
  for (const server of listenersOf(app)) server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' })
}

/** Where `localhost` has two addresses Fastify opens a second listener, and keeps it to itself. */
function listenersOf(app: FastifyInstance): Server[] {
  const bindings = Object.getOwnPropertySymbols(app).find(({ description }) => description === 'fastify.serverBindings')
  const others = bindings ? (app as unknown as Record<symbol, Server[]>)[bindings] : undefined
  return [app.server as unknown as Server, ...(others ?? [])]
}
