import { isRecord } from '@campus/engine/base/narrow'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import type { CallTool, Received, ServerDescription } from './server-description.ts'

/** The revision without a handshake: each request carries the version and the capabilities of its client. */
export const STATELESS_VERSION = '2026-07-28'

const PREFIX = 'io.modelcontextprotocol/'
const VERSION_KEY = `${PREFIX}protocolVersion`
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`

const HEADER_MISMATCH = -32_020
const UNSUPPORTED_VERSION = -32_022

/** How long clients may keep the list of tools, which only another release changes. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const

type Message = Readonly<Record<string, unknown>>

/** Reports whether a message follows the revision without a handshake, or a later one. */
export const isStateless = ({ body, headers }: Received): boolean =>
  body.method !== 'initialize' &&
  (headers['mcp-protocol-version'] === STATELESS_VERSION || metaOf(body)[VERSION_KEY] !== undefined)

/** A JSON-RPC error with its HTTP status. */
class RpcError extends Error {
  readonly status: number
  readonly code: number
  readonly data: Message | undefined

  constructor(status: number, code: number, message: string, data?: Message) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** Answers a message of the revision 2026-07-28 (basic/transports/streamable-http, server/discover, server/tools). */
export async function answerStateless(
  description: ServerDescription,
  { body, headers }: Received,
  call: CallTool,
): Promise<Response> {
  const id = isId(body.id) ? body.id : null
  try {
    const method = checkMessage(description, body, headers)
    if (body.id === undefined) return new Response(null, { status: 202 })
    if (id === null) throw new RpcError(400, ErrorCode.InvalidRequest, 'The id must be a string or an integer.')
    const result = await resultOf(description, method, paramsOf(body), call)
    const _meta = { [`${PREFIX}serverInfo`]: description.serverInfo }
    return Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result, _meta } })
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { status, code, message, data } = error
    return Response.json({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }, { status })
  }
}

/** Returns the method of a message. Throws RpcError if the message or its headers are not valid. */
function checkMessage({ versions }: ServerDescription, body: Message, headers: Received['headers']): string {
  const { jsonrpc, method, params } = body
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw new RpcError(400, ErrorCode.InvalidRequest, 'The body must be one JSON-RPC request or notification.')
  const meta = metaOf(body)
  const requested = meta[VERSION_KEY]
  if (typeof requested !== 'string')
    throw new RpcError(400, ErrorCode.InvalidParams, `_meta must have ${VERSION_KEY}, a string.`)
  requireSame('MCP-Protocol-Version', headers['mcp-protocol-version'], requested)
  if (requested !== STATELESS_VERSION)
    throw new RpcError(400, UNSUPPORTED_VERSION, 'Unsupported protocol version', { supported: versions, requested })
  if (!isRecord(meta[CAPABILITIES_KEY]))
    throw new RpcError(400, ErrorCode.InvalidParams, `_meta must have ${CAPABILITIES_KEY}, an object.`)
  // The revision does not specify the headers of a notification.
  if (body.id === undefined) return method
  requireSame('Mcp-Method', headers['mcp-method'], method)
  if (method === 'tools/call') requireSame('Mcp-Name', decoded(headers['mcp-name']), isRecord(params) && params.name)
  return method
}

function requireSame(name: string, header: string | undefined, value: unknown): void {
  if (header === value) return
  const fault = header === undefined ? 'is missing' : 'differs from the body'
  throw new RpcError(400, HEADER_MISMATCH, `Header mismatch: ${name} ${fault}.`)
}

/** Decodes the value of a header that may be in Base64. */
function decoded(header: string | undefined): string | undefined {
  const encoded = header && /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

async function resultOf(
  { tools, listed, instructions, versions }: ServerDescription,
  method: string,
  params: Message,
  call: CallTool,
): Promise<object> {
  switch (method) {
    case 'server/discover':
      return { supportedVersions: versions, capabilities: { tools: {} }, instructions, ...CACHE }
    case 'tools/list':
      if (params.cursor !== undefined)
        throw new RpcError(200, ErrorCode.InvalidParams, 'The list of tools has one page. Send no cursor.')
      return { ...listed, ...CACHE }
    case 'tools/call': {
      const tool = tools.find(({ name }) => name === params.name)
      if (!tool) throw new RpcError(200, ErrorCode.InvalidParams, unknownTool(params.name))
      return call(tool, params.arguments)
    }
    default:
      throw new RpcError(404, ErrorCode.MethodNotFound, 'Method not found')
  }
}

/** Returns the message for an unknown tool. It repeats at most 60 characters of the name. */
export const unknownTool = (name: unknown): string => `There is no tool ${JSON.stringify(String(name).slice(0, 60))}.`

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)

const paramsOf = ({ params }: Message): Message => (isRecord(params) ? params : {})

function metaOf(body: Message): Message {
  const meta = paramsOf(body)._meta
  return isRecord(meta) ? meta : {}
}
