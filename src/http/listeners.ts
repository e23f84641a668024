import type { Server as NetServer } from 'node:net'
import { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/**
 * The listening servers of the app: where `localhost` has two addresses Fastify opens a second one, and stores it under
 * a private symbol. Throws where a version of Fastify stores them elsewhere, rather than miss some.
 */
export function listenersOf(app: FastifyInstance): NetServer[] {
  const bindings = Object.getOwnPropertySymbols(app).find(({ description }) => description === 'fastify.serverBindings')
  if (!bindings) throw new Error('This version of Fastify keeps its servers elsewhere than "fastify.serverBindings".')
  const others: NetServer[] = Reflect.get(app, bindings) ?? []
  return [app.server, ...others]
}

/** Whether a server speaks TLS, rather than plain HTTP to a proxy that does. */
export const isSecure = (server: NetServer): server is Server => server instanceof Server
