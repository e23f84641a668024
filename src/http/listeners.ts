import type { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/** The servers that listen for the app: where `localhost` has two addresses Fastify opens a second one, and keeps it to itself. */
export function listenersOf(app: FastifyInstance): Server[] {
  const bindings = Object.getOwnPropertySymbols(app).find(({ description }) => description === 'fastify.serverBindings')
  const others = bindings ? (app as unknown as Record<symbol, Server[]>)[bindings] : undefined
  return [app.server as unknown as Server, ...(others ?? [])]
}
