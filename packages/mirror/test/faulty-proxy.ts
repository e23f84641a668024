import { createServer } from 'node:http'
import type { World } from '@campus/test/support/campus'
import { fetch } from 'undici'

/** Failure instead of a response. */
export type Failure = 'cut' | 'half' | 'error' | 'wait' | 'unauthorized'

export type FaultyProxy = { readonly url: string; readonly requests: () => number; close(): Promise<void> }

/**
 * Forwards requests to a service. `next` returns the failure of a request, if any. `forward` rewrites the path and
 * query, or returns undefined to refuse the request like a service that does not know a filter.
 */
export async function faultyProxy(
  world: World,
  next: (request: number) => Failure | undefined,
  forward: (path: string) => string | undefined = (path) => path,
): Promise<FaultyProxy> {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const failure = next(requests)
    if (failure === 'cut') return request.socket.destroy()
    if (failure === 'error') return response.writeHead(503).end('gone fishing')
    if (failure === 'wait') return response.writeHead(429, { 'retry-after': '1' }).end('{}')
    if (failure === 'unauthorized') return response.writeHead(401).end('{}')
    const path = forward(request.url ?? '/')
    if (path === undefined) return response.writeHead(400).end('{"error":"Filter Error","message":"no such filter"}')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { authorization, 'content-type': type } = request.headers
    const answer = await fetch(world.url + path, {
      method: request.method ?? 'GET',
      dispatcher: world.agent,
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
      ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
    })
    const text = await answer.text()
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => name.startsWith('x-') || name === 'retry-after'),
    )
    response.writeHead(answer.status, { ...headers, 'content-length': String(Buffer.byteLength(text)) })
    if (failure === 'half') {
      response.write(text.slice(0, text.length / 2))
      return setImmediate(() => request.socket.destroy())
    }
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
