import { createServer, type Server } from 'node:http'
import { listenEverywhere } from '../listeners.ts'

const PATH = '/.well-known/acme-challenge/'
const TIMEOUT_MILLISECONDS = 10_000
const MAX_CONNECTIONS = 200

/** Answers HTTP-01 challenges (RFC 8555 §8.3) on the port of plain HTTP, and redirects all other requests to HTTPS. */
export class Challenges {
  /** Answers by token. */
  readonly answers = new Map<string, string>()
  readonly #server: Server

  constructor(baseUrl: string) {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/'
      const answer = path.startsWith(PATH) ? this.answers.get(path.slice(PATH.length)) : undefined
      response.setHeader('connection', 'close')
      if (answer !== undefined) response.end(answer)
      else if (request.method !== 'GET' && request.method !== 'HEAD')
        response.writeHead(405, { allow: 'GET, HEAD' }).end()
      // Redirects to the root if a header cannot hold the path.
      else response.writeHead(308, { location: baseUrl + (/^\/[!-~]*$/.test(path) ? path : '/') }).end()
    })
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.requestTimeout = TIMEOUT_MILLISECONDS
    this.#server.headersTimeout = TIMEOUT_MILLISECONDS
  }

  /** Listens on every address of the host. Throws NotListening if the port is in use, or needs privileges. */
  async listen(host: string, port: number): Promise<void> {
    try {
      for (const other of await listenEverywhere(this.#server, { host, port })) other.maxConnections = MAX_CONNECTIONS
    } catch (error) {
      await this.close()
      throw error
    }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
