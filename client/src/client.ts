import createClient from 'openapi-fetch'
import { explaining } from './connection.ts'
import { type Page, walk } from './pages.ts'
import { EVENT_STREAM, type Fetch, sender } from './send.ts'
import { Throttle } from './throttle.ts'
import { timer as systemTimer, type Timer } from './time.ts'
import { type Grant, Tokens } from './tokens.ts'
import type {
  Answer,
  Init,
  Item,
  ListPath,
  Method,
  PathsWith,
  Rest,
  WatchedRecord,
  WatchInit,
  WatchPath,
} from './types.ts'
import { type Change, watchChanges } from './watch.ts'

export type CampusOptions = Grant & {
  /** The address of the service, as `https://localhost:8443`. */
  readonly url: string
  /** The longest single wait for the rate limit or for a service that is away; 120 unless said. */
  readonly maxWaitSeconds?: number
  /** Instead of the global `fetch`, as for a certificate of its own. */
  readonly fetch?: Fetch
  /** Instead of the system's time, as for tests. */
  readonly timer?: Timer
}

type Call<M extends Method> = <P extends PathsWith<M>>(path: P, ...rest: Rest<Init<P, M>>) => Promise<Answer<P, M>>

/**
 * The API of a campus intranet. Every method resolves to what is answered, and throws CampusError where it is refused and
 * ConnectionError where no answer came.
 */
export type Campus = {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly patch: Call<'patch'>
  readonly put: Call<'put'>
  readonly delete: Call<'delete'>
  /** Every record of a list, one after the other, from as many pages as there are. */
  all<P extends ListPath>(path: P, ...rest: Rest<Init<P, 'get'>>): AsyncGenerator<Item<P>, void>
  /** The pages of a list, each with the total. */
  pages<P extends ListPath>(path: P, ...rest: Rest<Init<P, 'get'>>): AsyncGenerator<Page<Item<P>>, void>
  /**
   * What happens to a list or a record from now on, or from the position `after` on; over as many connections as that takes. It ends
   * with its signal, or by leaving the loop.
   */
  watch<P extends WatchPath>(path: P, ...rest: Rest<WatchInit<P>>): AsyncGenerator<Change<WatchedRecord<P>>, void>
}

/** Makes a client. Nothing is sent before the first request. */
export function campusClient(options: CampusOptions): Campus {
  const { timer = systemTimer, maxWaitSeconds = 120 } = options
  const fetch = explaining(options.fetch ?? ((request) => globalThis.fetch(request)))
  const url = options.url.replace(/\/+$/, '')
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new TypeError(`The service is reached over https only; url is "${url}".`)
  const tokens = new Tokens(url, options, { ask: fetch, timer })
  const send = sender({ fetch, tokens, timer, maxWaitSeconds, throttle: new Throttle(timer) })
  // biome-ignore lint/suspicious/noExplicitAny: the types of what goes in and out are those of Campus
  const client = createClient<any>({ baseUrl: url, fetch: send, querySerializer: writeQuery })

  async function request(method: Method, path: string, init: AnyInit = {}) {
    const { path: parameters, query, headers, ...rest } = init
    const { data, response } = await client.request(method, path, {
      ...rest,
      headers,
      params: { path: parameters, query },
    })
    return { data, response }
  }
  const call = (method: Method) => async (path: string, init?: AnyInit) => (await request(method, path, init)).data
  const stream = (path: string, init: AnyInit) => async (after: string | undefined, signal: AbortSignal) => {
    const headers = { ...init.headers, accept: EVENT_STREAM, ...(after ? { 'last-event-id': after } : {}) }
    return (await request('get', path, { ...init, headers, signal, parseAs: 'stream' })).response
  }
  const pages = (path: string, init?: AnyInit) => walk((query) => request('get', path, { ...init, query }), init?.query)

  return {
    get: call('get'),
    post: call('post'),
    patch: call('patch'),
    put: call('put'),
    delete: call('delete'),
    pages,
    watch: (path: string, { after, signal, ...init }: AnyInit = {}) =>
      watchChanges({ ...{ after, signal, timer, maxWaitSeconds }, open: stream(path, init) }),
    async *all(path: string, init?: AnyInit) {
      for await (const { items } of pages(path, init)) yield* items
    },
  } as unknown as Campus
}

type AnyInit = {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly after?: string | undefined
  readonly parseAs?: 'stream'
}

/** Several values have commas between. */
function writeQuery(query: unknown): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(query as object)) if (value !== undefined) written.set(name, String(value))
  return written.toString()
}
