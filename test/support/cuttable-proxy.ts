import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network connection that a test can cut. Close it after use. */
export type Link = {
  readonly port: number
  /** Delays all bytes in both directions, and reports no error to either side. */
  cut(): void
  /** Delivers the delayed bytes, as retransmission does. */
  mend(): void
  close(): Promise<void>
}

/** Starts a proxy for a port of this machine. */
export async function link(to: number): Promise<Link> {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let isCut = false
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {}).on('close', () => sockets.delete(near))
    const carry = () => {
      if (near.destroyed) return
      const far = connect({ port: to, host: '127.0.0.1' }).setNoDelay()
      near.setNoDelay()
      sockets.add(far)
      far
        .on('error', () => near.destroy())
        .on('close', () => {
          sockets.delete(far)
          if (isCut) waiting.push(() => near.destroy())
          else near.destroy()
        })
      near.on('close', () => (isCut ? waiting.push(() => far.destroy()) : far.destroy()))
      near.pipe(far).pipe(near)
      if (isCut) for (const socket of [near, far]) socket.pause()
    }
    if (isCut) waiting.push(carry)
    else carry()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    mend() {
      isCut = false
      for (const socket of sockets) socket.resume()
      for (const go of waiting.splice(0)) go()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
