import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'

/** A received call. */
export type Received = {
  readonly id: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
}

export type Behaviour = (response: ServerResponse, call: Received, socket: TLSSocket) => void

/** A webhook receiver on the loopback interface, with TLS. A test sets its behaviour. */
export type Receiver = {
  readonly url: string
  readonly port: number
  readonly ca: string
  readonly identity: { readonly cert: string; readonly key: string }
  readonly calls: Received[]
  /** Returns the maximum number of simultaneous connections. */
  readonly maxSockets: () => number
  /** Ids of calls that came while the same call was being answered. */
  readonly overlapping: string[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

export async function certificate(names: readonly string[] = ['localhost']) {
  const altNames = names.map((name) => ({ type: 2 as const, value: name }))
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Receiver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [...altNames, { type: 7, ip: '127.0.0.1' }] }],
  })
  return { cert, key }
}

/** Returns the parsed JSON body, or undefined for other media types. */
const bodyOf = ({ headers }: IncomingMessage, text: string) =>
  headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : undefined

type ReceiverOptions = {
  readonly port?: number
  /** Certificate to share with other receivers, so that a sender trusts them all. */
  readonly identity?: { readonly cert: string; readonly key: string }
}

export async function receiver({ port = 0, identity }: ReceiverOptions = {}): Promise<Receiver> {
  const { cert, key } = identity ?? (await certificate())
  const calls: Received[] = []
  const overlapping: string[] = []
  const running = new Set<string>()
  const sockets = new Set<Duplex>()
  let most = 0
  let behaviour: Behaviour = answer(204)
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const id = String(request.headers['webhook-id'])
      const call = { id, path: request.url ?? '', headers: request.headers, text, body: bodyOf(request, text) }
      calls.push(call)
      if (running.has(id)) overlapping.push(id)
      running.add(id)
      response.once('close', () => running.delete(id))
      behaviour(response, call, request.socket as TLSSocket)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `https://localhost:${taken}`,
    port: taken,
    ca: cert,
    identity: { cert, key },
    calls,
    overlapping,
    maxSockets: () => most,
    behave(next) {
      behaviour = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
