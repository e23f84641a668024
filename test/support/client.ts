import { Agent, buildConnector, type Dispatcher, FormData, fetch } from 'undici'
import type { ResponseValidator } from './openapi.ts'

export { FormData }

export type Response = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any
}

type Options = { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }

/** A client over TLS, with a token or without. */
export type Client = {
  readonly token: string | undefined
  request(method: string, path: string, options?: Options): Promise<Response>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  patch(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  put(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  delete(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
}

type Server = {
  readonly url: string
  readonly agent: Agent
  /** Holds every answer against the OpenAPI document. */
  readonly validate?: ResponseValidator | undefined
}

/** An agent that trusts this one certificate. */
export const trusting = (ca: string) => new Agent({ connect: { ca }, allowH2: false })

/** One that stays on this machine, whatever name an address has. */
export function trustingHere(ca: string, port: number): Agent {
  const connect = buildConnector({ ca, allowH2: false })
  const here = { hostname: 'localhost', port: String(port) }
  return new Agent({
    connect: (options, callback) => connect({ ...options, servername: options.hostname, ...here }, callback),
  })
}

/** One that has ended TLS for whatever address it is asked for, and speaks plain HTTP to the service. */
export function asProxy(place: { readonly port: number } | { readonly socketPath: string }): Agent {
  const connect = 'port' in place ? buildConnector({}) : buildConnector({ socketPath: place.socketPath })
  const here = { protocol: 'http:', hostname: 'localhost', ...('port' in place ? { port: String(place.port) } : {}) }
  return new Agent({ connect: (options, callback) => connect({ ...options, ...here }, callback), allowH2: false })
}

/** Responses outside the API: health and metrics. */
const isText = (type: string) => /^(text\/plain|application\/openmetrics-text)/.test(type)

/** Exports of whole lists. */
const isStream = (type: string) => /^(text\/csv|application\/x-ndjson)/.test(type)

/** Objects are sent as JSON; text, form data and buffers as they are. */
export function clientOf({ url, agent, validate }: Server, token?: string): Client {
  async function request(method: string, path: string, { headers = {}, body }: Options = {}): Promise<Response> {
    const isJson = body !== undefined && (Array.isArray(body) || (body as object)?.constructor === Object)
    const send = body === undefined || isJson ? sendPlainly : sendByFetch
    const sent = {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : body,
    }
    const { status, text, headers: reported } = await send(agent, url + path, sent)
    const type = reported.get('content-type') ?? ''
    const json = type.includes('json') && !isStream(type) && text !== '' ? JSON.parse(text) : undefined
    const answer = { status, headers: reported, text, json }
    validate?.(method, path, status, reported, isText(type) || isStream(type) ? text : json)
    return answer
  }
  return {
    token,
    request,
    get: (path, headers) => request('GET', path, { headers }),
    post: (path, body, headers) => request('POST', path, { body, headers }),
    patch: (path, body, headers) => request('PATCH', path, { body, headers }),
    put: (path, body, headers) => request('PUT', path, { body, headers }),
    delete: (path, headers) => request('DELETE', path, { headers }),
  }
}

type Sent = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
type Received = Pick<Response, 'status' | 'headers' | 'text'>

/** Takes half of the processor time that `fetch` does, and asks for no compression. */
async function sendPlainly(agent: Agent, address: string, { method, headers, body }: Sent): Promise<Received> {
  const { origin, pathname, search } = new URL(address)
  const sent = { origin, path: pathname + search, method: method as Dispatcher.HttpMethod, headers }
  const answer = await agent.request({ ...sent, body: body as string | undefined })
  const reported = new Headers()
  for (const [name, value = ''] of Object.entries(answer.headers))
    for (const one of [value].flat()) reported.append(name, one)
  return { status: answer.statusCode, headers: reported, text: await answer.body.text() }
}

/** Writes forms, and what else a browser would give a type of its own. */
async function sendByFetch(dispatcher: Agent, address: string, { method, headers, body }: Sent): Promise<Received> {
  const answer = await fetch(address, { method, dispatcher, redirect: 'manual', headers, body: body as never })
  return { status: answer.status, headers: answer.headers as unknown as Headers, text: await answer.text() }
}
