import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A line to a service whose connections can be cut. To be closed. */
export type TcpProxy = {
  /** The service's address, through the proxy. */
  readonly url: string
  /** Ends every connection at once, in the middle of what it carries. */
  cut(): void
  close(): Promise<void>
}

/** Passes on what comes for a service on this machine; TLS goes through as it is. `delay` gives the milliseconds that data waits. */
export async function tcpProxy(url: string, delay = () => 0): Promise<TcpProxy> {
  const target = new URL(url)
  const clients = new Set<Socket>()
  const cut = () => {
    for (const client of clients) client.destroy()
  }
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    clients.add(client)
    client
      .on('error', () => {})
      .on('close', () => {
        clients.delete(client)
        server.destroy()
      })
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(delayed(delay)).pipe(server).pipe(client)
  })
  proxy.listen(0, 'localhost')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { port: String(port) }).origin,
    cut,
    async close() {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

const delayed = (delay: () => number) =>
  new Transform({
    transform(chunk, _encoding, done) {
      const milliseconds = delay()
      if (milliseconds > 0) setTimeout(done, milliseconds, null, chunk)
      else done(null, chunk)
    },
  })
