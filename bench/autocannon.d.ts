/** The part of autocannon that is used here; the package has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  type Request = {
    readonly path?: string
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** Makes the request anew each time that it is sent. */
    readonly setupRequest?: (request: Request) => Request
  }
  type Client = { setRequests(requests: readonly Request[]): void }
  type Result = { readonly non2xx: number; readonly errors: number; readonly timeouts: number; readonly '3xx': number }
  type Options = {
    readonly url: string
    readonly connections: number
    /** In seconds; the end is noticed every `sampleInt` milliseconds. */
    readonly duration: number
    readonly sampleInt: number
    readonly headers: Readonly<Record<string, string>>
    readonly setupClient: (client: Client) => void
  }
  type Instance = EventEmitter<{ response: [client: Client, status: number, bytes: number, milliseconds: number] }> &
    PromiseLike<Result>

  export default function autocannon(options: Options): Instance
}
