import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isSecure } from './listeners.ts'

/**
 * Tracks the connections of listening servers. A closing server would wait for every client without a request, and for every HTTP/1.1
 * client with keep-alive. HTTP/2 sessions end by themselves.
 */
export class Connections {
  /** Keyed by the client's address and port, which a connection shares with its TLS socket. */
  readonly #handshaking = new Map<string, Socket>()
  readonly #requests = new Map<Socket, number>()
  readonly #sessions = new Set<ServerHttp2Session>()
  #isDismissing = false
  #isEnding = false
  #onEmpty = () => {}

  constructor(servers: readonly Server[]) {
    for (const server of servers) {
      // Node would close connections whose response is complete but not sent yet.
      Object.assign(server, { closeIdleConnections() {} })
      if (isSecure(server)) {
        server.on('connection', (socket) => this.#follow(socket))
        server.on('secureConnection', (socket) => this.#followSecure(socket))
      } else {
        server.on('connection', (socket) => this.#followEstablished(socket))
      }
      server.on('session', (session) => this.#followSession(session))
      server.prependListener('request', (request, response) => this.#followRequest(request, response))
    }
  }

  /**
   * Answers each client once more and asks it to reconnect for further requests. Resolves when no connection is left, or after some
   * milliseconds. Idle connections stay open, since a request may be on its way.
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

  /** Number of open HTTP/1.1 requests and HTTP/2 sessions. */
  get active(): number {
    return this.#sessions.size + [...this.#requests.values()].reduce((sum, count) => sum + count, 0)
  }

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

/** Waits for the next stream: a stream on its way would be refused, and some clients do not retry it. */
const dismissSession = (session: ServerHttp2Session) => session.once('stream', () => session.close())

const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
