import { Agent, fetch as undiciFetch } from 'undici'
import type { Timer } from '../../clients/typescript/src/index.ts'

/** Every request that went out, in order: `GET /v2/users`. */
export type Journal = string[]

/** `fetch` with a certificate of its own, and a look at each request. `meddle` may answer in the service's place. */
export function trustingFetch(
  ca: string,
  journal: Journal = [],
  meddle: (request: Request, send: () => Promise<Response>) => Promise<Response> = (_request, send) => send(),
) {
  const dispatcher = new Agent({ connect: { ca } })
  const fetch = async (request: Request): Promise<Response> => {
    journal.push(`${request.method} ${new URL(request.url).pathname}`)
    const send = async () => {
      const body = request.body === null ? undefined : await request.arrayBuffer()
      const { method, headers, signal, redirect } = request
      const options = { method, headers: Object.fromEntries(headers), body, signal, redirect, dispatcher }
      return (await undiciFetch(request.url, options as never)) as unknown as Response
    }
    return meddle(request, send)
  }
  return { fetch, close: () => dispatcher.close() }
}

/** Time that passes only by waiting, or when a test says so. */
export function frozenTimer(): Timer & { pass(milliseconds: number): void; readonly waits: number[] } {
  let now = 0
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    async wait(milliseconds) {
      waits.push(milliseconds)
      now += milliseconds
    },
    pass(milliseconds) {
      now += milliseconds
    },
  }
}
