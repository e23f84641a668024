import { createServer } from 'node:http'
import { fetch } from 'undici'
import type { World } from '../support/campus.ts'

/** What comes of a request instead of its answer. */
export type Trouble = 'cut' | 'half' | 'error' | 'wait' | 'unauthorized'

export type TroublesomeProxy = { readonly url: string; readonly requests: () => number; close(): Promise<void> }

/** A way to a service on which some requests come to grief; `next` says which. */
export async function troublesomeProxy(
  world: World,
  next: (request: number) => Trouble | undefined,
): Promise<TroublesomeProxy> {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const trouble = next(requests)
    if (trouble === 'cut') return request.socket.destroy()
    if (trouble === 'error') return response.writeHead(503).end('gone fishing')
    if (trouble === 'wait') return response.writeHead(429, { 'retry-after': '1' }).end('{}')
    if (trouble === 'unauthorized') return response.writeHead(401).end('{}')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { authorization, 'content-type': type } = request.headers
    const answer = await fetch(world.url + request.url, {
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
    if (trouble === 'half') {
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
