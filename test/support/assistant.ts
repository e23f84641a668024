import assert from 'node:assert/strict'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { fetch } from 'undici'
import type { World } from './campus.ts'

/** Data of a tool's result, and whether it is an error. */
export type Answered = {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  readonly data: any
  readonly isError: boolean
}

/** The SDK's own client, connected. */
export type Assistant = {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Answered>
  close(): Promise<void>
}

/** `fetch` as the SDK calls it, which trusts the certificate of the world. */
export const trustingFetch =
  ({ agent }: Pick<World, 'agent'>) =>
  (url: string | URL, options: RequestInit = {}): Promise<globalThis.Response> =>
    fetch(url, { ...(options as object), dispatcher: agent }) as never

type Options = { readonly token?: string | undefined; readonly authProvider?: OAuthClientProvider }

/** A transport to the world's interface for assistants, with a token or with what gets one. */
export const transportOf = (world: World, { token, authProvider }: Options = {}) =>
  new StreamableHTTPClientTransport(new URL('/mcp', world.url), {
    fetch: trustingFetch(world),
    ...(authProvider && { authProvider }),
    ...(token && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  })

/** Connects an assistant over streamable HTTP. */
export async function assistantOf(world: World, options: Options): Promise<Assistant> {
  const transport = transportOf(world, options)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as never)
  return { client, transport, call: callsOf(client), close: () => client.close() }
}

/** Calls of tools by a client, each held to be the same as text and as a value. */
export const callsOf =
  (client: Client) =>
  async (name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Answered> => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: given }))
    const [text] = result.content
    assert.ok(text?.type === 'text', JSON.stringify(result))
    assert.deepEqual(JSON.parse(text.text), result.structuredContent)
    return { data: result.structuredContent, isError: result.isError === true }
  }

/** A message as it goes over the wire, and what comes back. */
export async function post(
  world: World,
  body: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
  const response = await fetch(new URL('/mcp', world.url), {
    method: 'POST',
    headers: Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    dispatcher: world.agent,
  })
  return { status: response.status, headers: response.headers as never, text: await response.text() }
}

/** The message that calls a tool. */
export const callMessage = (name: string, given: Readonly<Record<string, unknown>> = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
})
