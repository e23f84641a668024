import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { toError } from '@campus/engine/base/caught'
import { isRecord } from '@campus/engine/base/narrow'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { isJSONRPCRequest, isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CampusError } from '../../../clients/typescript/src/errors.ts'
import { type ConnectionOptions, report, ServiceConnection } from './connection.ts'

type Streams = { readonly input: Readable; readonly output: Writable }

/** Code of JSON-RPC for errors of the server. */
const SERVER_ERROR = -32_000

/** Forwards messages between an assistant and a service until the input ends. The service has the tools. */
export async function bridgeAssistant(options: ConnectionOptions, { input, output }: Streams): Promise<void> {
  const connection = new ServiceConnection(options)
  const service = new StreamableHTTPClientTransport(new URL(`${options.address}/mcp`), {
    fetch: (url, init) => connection.fetch(url, withMirroredHeaders(init)),
  })
  const assistant = new StdioServerTransport(input, output)
  const under = new Set<Promise<void>>()
  const closed = Promise.withResolvers<void>()

  const forward = async (message: JSONRPCMessage) => {
    try {
      await service.send(message)
    } catch (error) {
      const text = describe(error)
      report(text)
      if (isJSONRPCRequest(message))
        await assistant.send({ jsonrpc: '2.0', id: message.id, error: { code: SERVER_ERROR, message: text } })
    }
  }
  assistant.onmessage = (message) => {
    const forwarding: Promise<void> = forward(message).finally(() => under.delete(forwarding))
    under.add(forwarding)
  }
  assistant.onerror = () => report('A line that is no message of the protocol was passed over.')
  assistant.onclose = closed.resolve
  service.onmessage = (message) => {
    noteVersion(service, message)
    void assistant.send(message)
  }
  output.once('error', () => closed.resolve())
  const ended = Promise.race([once(input, 'end'), once(input, 'close'), closed.promise])
  await service.start()
  await assistant.start()
  await ended
  await Promise.allSettled(under)
  await service.close()
  await connection.close()
}

/** Adds the headers that MCP requires since revision 2026-07-28 if the body of a request names its revision. */
function withMirroredHeaders(init: RequestInit | undefined): RequestInit | undefined {
  if (typeof init?.body !== 'string') return init
  const message: unknown = JSON.parse(init.body)
  if (!isRecord(message) || !isRecord(message.params) || !isRecord(message.params._meta)) return init
  const version = message.params._meta['io.modelcontextprotocol/protocolVersion']
  if (version === undefined) return init
  const headers = new Headers(init.headers)
  headers.set('mcp-protocol-version', headerValue(version))
  headers.set('mcp-method', headerValue(message.method))
  if (message.params.name !== undefined) headers.set('mcp-name', headerValue(message.params.name))
  return { ...init, headers }
}

/** Returns the value of a header, in Base64 unless it is visible ASCII. */
function headerValue(value: unknown): string {
  const text = String(value)
  if (/^[\x21-\x7e]+$/.test(text) && !text.startsWith('=?base64?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Sends the negotiated version with every later message. */
function noteVersion(service: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message)) return
  const { protocolVersion } = message.result
  if (typeof protocolVersion === 'string') service.setProtocolVersion(protocolVersion)
}

function describe(error: unknown): string {
  if (!(error instanceof CampusError)) return toError(error).message
  const { status, message, retryAfterSeconds } = error
  const hint = status === 401 ? ' Give the command another token.' : ''
  const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`
  return `The service answers ${status}: ${message.replace(/\.$/, '')}.${hint}${wait}`
}
