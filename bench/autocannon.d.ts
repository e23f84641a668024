/** The part of autocannon that is used here; the package has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export type Request = {
    readonly method?: 'GET' | 'POST' | 'PATCH'
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }
  /** Builds the request each time that it is sent. */
  type Setup = { readonly setupRequest: (defaults: Request) => Request }
  type Client = { setRequests(requests: readonly (Request | Setup)[]): void }
  type Result = { readonly errors: number; readonly timeouts: number }
  type Options = {
    readonly url: string
    readonly connections: number
    /** In seconds; the end is noticed every `sampleInt` milliseconds. */
    readonly duration: number
    readonly sampleInt: number
    /** Headers of every request, beside its own. */
    readonly headers: Readonly<Record<string, string>>
    readonly setupClient: (client: Client) => void
  }
  type Instance = EventEmitter<{ response: [client: Client, status: number, bytes: number, milliseconds: number] }> &
    PromiseLike<Result>

  export default function autocannon(options: Options): Instance
}
