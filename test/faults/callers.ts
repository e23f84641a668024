import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { Agent, type RequestOptions, request } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'

/** Address and certificate authority of the service. */
export type Called = { readonly port: number; readonly ca: string }

/** Makes one call. Returns its status, or the code of its error. */
type Caller = () => Promise<number | string>

/** Sends a GET over HTTP/1.1, and reads the whole response. */
function get(options: RequestOptions): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request({ ...options, servername: 'localhost' }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', (error) => resolve(String((error as NodeJS.ErrnoException).code)))
    })
    sent.once('error', (error) => resolve(String((error as NodeJS.ErrnoException).code)))
    sent.end()
  })
}

/** Calls on a new connection each time. */
export const onNewConnections =
  ({ port, ca }: Called, path: string, headers = {}): Caller =>
  () =>
    get({ host: '127.0.0.1', port, ca, path, headers, agent: false })

/** Calls on a persistent connection, until the server closes it. */
export function onOneConnection({ port, ca }: Called, path: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return () => get({ host: '127.0.0.1', port, ca, path, agent })
}

/** Calls over HTTP/2 on a persistent session. Repeats a refused stream (RFC 9113 §8.7). */
export function onOneSession({ port, ca }: Called, path: string): Caller {
  let session: ClientHttp2Session | undefined
  return async function call() {
    if (!session || session.closed || session.destroyed) {
      session = connect(`https://localhost:${port}`, { ca, host: '127.0.0.1' })
      session.on('error', () => {})
      session.unref()
    }
    const stream = session.request({ ':path': path })
    stream.resume()
    try {
      const [headers] = await once(stream, 'response')
      await once(stream, 'end')
      return Number(headers[':status'])
    } catch (error) {
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return call()
      return `${(error as NodeJS.ErrnoException).code} ${stream.rstCode}`
    }
  }
}

/** Pause between calls, so that the called processes have time to restart. */
const PAUSE_MILLISECONDS = 20

/** Calls repeatedly until the returned function is called, which returns the number of calls by outcome. */
export function keepCalling(callers: readonly Caller[]): () => Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  let isStopped = false
  const calling = callers.map(async (call) => {
    while (!isStopped) {
      const result = await call()
      found[result] = (found[result] ?? 0) + 1
      await wait(PAUSE_MILLISECONDS)
    }
  })
  return async () => {
    isStopped = true
    await Promise.all(calling)
    return found
  }
}
