import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server as NetServer } from 'node:net'
import { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { codeOf, toError } from '../base/caught.ts'
import { portOf } from '../base/port-of.ts'

type Place = { readonly host: string; readonly port: number }

/** An address that could not be listened on. `cause` has the system's code. */
export class NotListening extends Error {
  readonly address: string

  constructor(address: string, cause: unknown) {
    super(`${address}: ${toError(cause).message}`, { cause })
    this.address = address
  }
}

export const failureOf = (error: unknown): { readonly address: string | undefined; readonly code: string } =>
  error instanceof NotListening
    ? { address: error.address, code: codeOf(error.cause) }
    : { address: undefined, code: codeOf(error) }

/** Clients may try either address of `localhost` first, whatever the hosts file says. */
const LOOPBACK = ['127.0.0.1', '::1']
/** Codes of an address that this machine does not have, so that no other program can listen on it. */
const NOT_HERE: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/**
 * Listens on every address of a host name. `listenFirst` listens on the first. A further server for each other address hands its
 * connections to `server`, and closes with it. Skips addresses that this machine does not have. Returns the further servers. Throws
 * NotListening if no address is left or one is in use. The caller must then close `server`.
 */
export async function listenEverywhere(
  server: NetServer,
  { host, port }: Place,
  listenFirst: (place: Place) => Promise<unknown> = (place) => listen(server, place),
): Promise<readonly NetServer[]> {
  const others: NetServer[] = []
  let isListening = false
  let failed: NotListening | undefined
  closeTogether(server, others)
  for (const address of await addressesOf(host)) {
    try {
      if (isListening) others.push(await relay(server, address))
      else await listenFirst({ host: address, port })
      isListening = true
    } catch (error) {
      failed = new NotListening(address, error)
      if (!NOT_HERE.includes(codeOf(error))) throw failed
    }
  }
  if (!isListening) throw failed
  return others
}

function closeTogether(server: NetServer, others: readonly NetServer[]): void {
  const close = server.close.bind(server)
  const closeAll = (done?: (error?: Error) => void) => {
    const closed = others.map((other) => new Promise((resolve) => other.close(resolve)))
    return close((error) => void Promise.all(closed).then(() => done?.(error)))
  }
  Object.assign(server, { close: closeAll })
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (host === 'localhost') return LOOPBACK
  const found = await lookup(host, { all: true }).catch((error) => {
    throw new NotListening(host, error)
  })
  return [...new Set(found.map(({ address }) => address))]
}

async function listen(server: NetServer, place: Place): Promise<void> {
  server.listen(place)
  await once(server, 'listening')
}

async function relay(server: NetServer, host: string): Promise<NetServer> {
  const { allowHalfOpen, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark } = Object(server)
  const options = { allowHalfOpen, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark }
  const other = createServer(options, (socket) => server.emit('connection', socket))
  await listen(other, { host, port: portOf(server) })
  return other
}

const furtherServers = new WeakMap<FastifyInstance, readonly NetServer[]>()

/** Lets an app listen on every address of a host name until it closes. Throws NotListening. The caller must then close the app. */
export async function listenAt(app: FastifyInstance, place: Place): Promise<void> {
  furtherServers.set(app, await listenEverywhere(app.server, place, (first) => app.listen(first)))
}

/** Returns the servers that accept an app's connections. All connections arrive at the app's own server. */
export const listenersOf = (app: FastifyInstance): readonly NetServer[] => [
  app.server,
  ...(furtherServers.get(app) ?? []),
]

export const isSecure = (server: NetServer): server is Server => server instanceof Server
