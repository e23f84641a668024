import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** State of the connections: `sound` forwards bytes, `cut` closes them, `silent` swallows bytes. */
type Line = 'sound' | 'cut' | 'silent'

export type DatabaseProxy = {
  /** The database's address, through the proxy. */
  readonly url: string
  /** Connections that clients have at the moment, and how many they have ever made. */
  readonly counts: { readonly open: number; readonly made: number }
  become(line: Line): void
  close(): Promise<void>
}

/** A line to a database (at a Unix socket) that can be made worse, and well again. */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url)
  const path = join(decodeURIComponent(target.hostname), `.s.PGSQL.${target.port || 5432}`)
  const clients = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let line: Line = 'sound'
  let made = 0

  const proxy = createServer((client) => {
    made += 1
    clients.add(client)
    client.on('error', () => {}).on('close', () => clients.delete(client))
    if (line === 'cut') {
      // Delayed, so that single attempts can be distinguished.
      setTimeout(() => client.destroy(), 20)
      return
    }
    const server = connect(path)
    const pair = [client, server] as const
    pairs.add(pair)
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('close', () => {
      server.destroy()
      pairs.delete(pair)
    })
    pass(pair)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')

  function pass([client, server]: readonly [Socket, Socket]): void {
    if (line === 'sound') client.pipe(server).pipe(client)
    else {
      client.unpipe(server).pause()
      server.unpipe(client).pause()
    }
  }

  const { port } = proxy.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    counts: {
      get open() {
        return clients.size
      },
      get made() {
        return made
      },
    },
    become(wanted) {
      line = wanted
      if (line === 'cut') for (const client of clients) client.destroy()
      else for (const pair of pairs) pass(pair)
    },
    async close() {
      for (const client of clients) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
