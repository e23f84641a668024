import createClient from 'openapi-fetch'
import type { Fetch } from './attempt.ts'
import { rememberEtag } from './etags.ts'
import { type Page, STALE_OK, walk } from './pages.ts'
import { type RetryOptions, retryLimits } from './retries.ts'
import { EVENT_STREAM, sender } from './send.ts'
import { Throttle } from './throttle.ts'
import { timer as systemTimer, type Timer } from './time.ts'
import { type Grant, Tokens } from './tokens.ts'
import type {
  Answer,
  CallOptions,
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

export type CampusOptions = Grant &
  RetryOptions & {
    /** The address of the service, as `https://localhost:8443`. */
    readonly url: string
    /** Whether reads may return records that are up to 5 seconds old, as from a replica. Default: false. */
    readonly staleOk?: boolean
    /** Replaces the global `fetch`, as for a private certificate authority. */
    readonly fetch?: Fetch
    /** Instead of the system's time, as for tests. */
    readonly timer?: Timer
  }

type Call<M extends Method> = <P extends PathsWith<M>>(path: P, ...rest: Rest<Init<P, M>>) => Promise<Answer<P, M>>

/**
 * The API of a campus intranet. Every method resolves to the answer. It throws CampusError if the service refuses the
 * request, ConnectionError if no answer came, and the reason of its signal if that is aborted.
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
   * Follows a list or a record from now on, or from the position `after` on, over as many connections as needed. Ends when its
   * signal is aborted or the loop is left.
   */
  watch<P extends WatchPath>(path: P, ...rest: Rest<WatchInit<P>>): AsyncGenerator<Change<WatchedRecord<P>>, void>
}

/** Makes a client. Nothing is sent before the first request. */
export function campusClient(options: CampusOptions): Campus {
  const { timer = systemTimer, fetch = (request) => globalThis.fetch(request) } = options
  const limits = retryLimits(options)
  const url = options.url.replace(/\/+$/, '')
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new TypeError(`The service is reached over https only; url is "${url}".`)
  const tokens = new Tokens(url, options, { fetch, limits, timer })
  const send = sender({ fetch, tokens, timer, throttle: new Throttle(timer) })
  // biome-ignore lint/suspicious/noExplicitAny: the types of what goes in and out are those of Campus
  const client = createClient<any>({ baseUrl: url, querySerializer: writeQuery })

  async function request(method: Method, path: string, init: AnyInit = {}) {
    const { path: parameters = {}, query, body, parseAs } = init
    const sent = { limits: retryLimits(init, limits), signal: init.signal }
    sent.signal?.throwIfAborted()
    return client.request(method, path, {
      ...{ body, parseAs, headers: headersOf(method, init) },
      params: { path: checkedPath(parameters), query },
      fetch: (one) => send(one, sent),
    })
  }
  function headersOf(method: Method, { headers, ifMatch, staleOk = options.staleOk }: AnyInit): Headers {
    const written = new Headers(headers)
    const isRead = method === 'get' && written.get('accept') !== EVENT_STREAM
    if (staleOk && isRead) written.append('prefer', STALE_OK)
    if (ifMatch !== undefined && method !== 'get') written.set('if-match', ifMatch)
    return written
  }
  const call = (method: Method) => async (path: string, init?: AnyInit) => {
    const { data, response } = await request(method, path, init)
    rememberEtag(data, response)
    return data
  }
  const stream =
    (path: string, init: AnyInit) => async (after: string | undefined, signal: AbortSignal, isFirst: boolean) => {
      const headers = { ...init.headers, accept: EVENT_STREAM, ...(after ? { 'last-event-id': after } : {}) }
      // Once it has begun, watching itself comes back.
      const retries = isFirst ? init.retries : 0
      return (await request('get', path, { ...init, headers, signal, retries, parseAs: 'stream' })).response
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
      watchChanges({
        ...{ after, signal, timer, open: stream(path, init) },
        maxWaitSeconds: retryLimits(init, limits).maxWaitSeconds,
      }),
    async *all(path: string, init?: AnyInit) {
      for await (const { items } of pages(path, init)) {
        for (const item of items) {
          init?.signal?.throwIfAborted()
          yield item
        }
      }
    },
  } as unknown as Campus
}

type AnyInit = CallOptions & {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly after?: string | undefined
  readonly parseAs?: 'stream'
}

/** Returns the parameters of a path. Throws a TypeError for a value that would lead to another path. */
function checkedPath(parameters: Readonly<Record<string, unknown>>) {
  for (const [name, value] of Object.entries(parameters))
    if (['', '.', '..'].includes(String(value))) throw new TypeError(`${name} is "${value}", which names nothing.`)
  return parameters
}

/** Joins several values with commas. Values that contain a comma are sent one by one, under the name with `[]`. */
function writeQuery(query: unknown): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(query as object)) {
    if (value === undefined) continue
    const isList = name.endsWith('[]')
    if (Array.isArray(value) && (isList || value.some((one) => String(one).includes(','))))
      for (const one of value) written.append(isList ? name : `${name}[]`, String(one))
    else written.set(name, String(value))
  }
  return written.toString()
}
