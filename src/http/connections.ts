import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'

/**
 * Follows the connections of listening servers, since closing a server waits for every client that has connected and
 * says nothing, and for every HTTP/1.1 client that keeps its connection. HTTP/2 sessions end by themselves.
 */
export class Connections {
  /** By the client's end, which is all that a connection has in common with the TLS socket made of it. */
  readonly #handshaking = new Map<string, Socket>()
  /** HTTP/1.1 only, with the number of requests that each is carrying. */
  readonly #requests = new Map<TLSSocket, number>()
  #isEnding = false

  constructor(servers: readonly Server[]) {
    for (const server of servers) {
      server.on('connection', (socket) => this.#follow(socket))
      server.on('secureConnection', (socket) => this.#followSecure(socket))
      server.on('request', (request, response) => this.#followRequest(request, response))
    }
  }

  /** Ends every connection that carries no request, and the others as soon as they carry none. */
  end(): void {
    this.#isEnding = true
    for (const socket of this.#handshaking.values()) socket.destroy()
    for (const [socket, count] of this.#requests) if (count === 0) socket.destroySoon()
  }

  #follow(socket: Socket): void {
    if (this.#isEnding) socket.destroy()
    const client = clientOf(socket)
    this.#handshaking.set(client, socket)
    socket.once('close', () => {
      if (this.#handshaking.get(client) === socket) this.#handshaking.delete(client)
    })
  }

  #followSecure(socket: TLSSocket): void {
    this.#handshaking.delete(clientOf(socket))
    if (socket.alpnProtocol === 'h2') return
    if (this.#isEnding) socket.destroySoon()
    this.#requests.set(socket, 0)
    socket.once('close', () => this.#requests.delete(socket))
  }

  #followRequest({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): void {
    if (httpVersionMajor !== 1) return
    const secure = socket as TLSSocket
    this.#count(secure, 1)
    response.once('close', () => this.#count(secure, -1))
  }

  #count(socket: TLSSocket, change: 1 | -1): void {
    const count = this.#requests.get(socket)
    if (count === undefined) return
    this.#requests.set(socket, count + change)
    if (this.#isEnding && count + change === 0) socket.destroySoon()
  }
}

const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
