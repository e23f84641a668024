import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isSecure } from './listeners.ts'

/**
 * Tracks the connections of listening servers, since closing a server waits for every client that has connected without
 * a request, and for every HTTP/1.1 client with keep-alive. HTTP/2 sessions end by themselves then.
 */
export class Connections {
  /** By the client's end, which is all that a connection has in common with the TLS socket made of it. */
  readonly #handshaking = new Map<string, Socket>()
  /** HTTP/1.1 only, with the number of requests that each is carrying. */
  readonly #requests = new Map<Socket, number>()
  readonly #sessions = new Set<ServerHttp2Session>()
  #isDismissing = false
  #isEnding = false
  #onEmpty = () => {}

  constructor(servers: readonly Server[]) {
    for (const server of servers) {
      // Node takes an answer for sent as soon as it was ended, and would break it off on its way.
      Object.assign(server, { closeIdleConnections() {} })
      if (isSecure(server)) {
        server.on('connection', (socket) => this.#follow(socket))
        server.on('secureConnection', (socket) => this.#followSecure(socket))
      } else {
        server.on('connection', (socket) => this.#followEstablished(socket))
      }
      server.on('session', (session) => this.#followSession(session))
      // Before it is answered.
      server.prependListener('request', (request, response) => this.#followRequest(request, response))
    }
  }

  /**
   * Answers each client once more, and asks it to send its further requests on other connections. Resolves when no connection
   * is left, or the time is up: an idle one is not ended at once, since a request may be on its way.
   */
  async dismiss(milliseconds: number): Promise<void> {
    this.#isDismissing = true
    for (const session of this.#sessions) dismissSession(session)
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
      this.#onEmpty = resolve
      this.#noteLost()
    })
    clearTimeout(timer)
  }

  /** The number of requests of HTTP/1.1 that are carried, and of open HTTP/2 sessions. */
  get active(): number {
    return this.#sessions.size + [...this.#requests.values()].reduce((sum, count) => sum + count, 0)
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
      this.#noteLost()
    })
  }

  #followSecure(socket: TLSSocket): void {
    this.#handshaking.delete(clientOf(socket))
    if (socket.alpnProtocol !== 'h2') this.#followEstablished(socket)
  }

  #followEstablished(socket: Socket): void {
    if (this.#isEnding) socket.destroySoon()
    this.#requests.set(socket, 0)
    socket.once('close', () => {
      this.#requests.delete(socket)
      this.#noteLost()
    })
  }

  #followSession(session: ServerHttp2Session): void {
    if (this.#isDismissing) dismissSession(session)
    this.#sessions.add(session)
    session.once('close', () => {
      this.#sessions.delete(session)
      this.#noteLost()
    })
  }

  #followRequest({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): void {
    if (httpVersionMajor !== 1) return
    if (this.#isDismissing) response.setHeader('connection', 'close')
    this.#count(socket, 1)
    response.once('close', () => this.#count(socket, -1))
  }

  #count(socket: Socket, change: 1 | -1): void {
    const count = this.#requests.get(socket)
    if (count === undefined) return
    this.#requests.set(socket, count + change)
    if (this.#isEnding && count + change === 0) socket.destroySoon()
  }

  #noteLost(): void {
    if (this.#handshaking.size + this.#requests.size + this.#sessions.size === 0) this.#onEmpty()
  }
}

/** Not at once: a stream that is on its way would be refused, and not every client sends it again. */
const dismissSession = (session: ServerHttp2Session) => session.once('stream', () => session.close())

const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
