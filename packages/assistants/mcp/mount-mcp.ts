import { defined } from '@campus/engine/base/defined'
import { verbatim } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { once } from '@campus/engine/base/once'
import { accessDenied, HttpError } from '@campus/engine/errors'
import type { Caller, FindCaller } from '@campus/engine/http/caller'
import { DEFAULT_RATE, type RateLimits, type RateState } from '@campus/engine/http/rate-limit'
import { areRightsOld } from '@campus/engine/http/slow-bodies'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { ApiInProcess } from '@campus/engine/rest/in-process'
import type { Route } from '@campus/engine/rest/route-table'
import { hasApiScope } from '@campus/intranet/access/scopes'
import type { Answering, Guides } from '@campus/intranet/server/part'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AnswerType, answerType, serverSentEvent } from './answer-type.ts'
import { actingChallenge, challenge, readingChallenge } from './challenges.ts'
import { loadProtocol } from './load-protocol.ts'
import type { AssistantMetrics } from './metrics.ts'
import { MCP_PATH } from './path.ts'
import { runTool } from './run-tool.ts'
import { ACTING_SCOPE } from './scope.ts'
import type { Tool, ToolContext } from './tool.ts'

type Dependencies = {
  readonly registry: Registry
  readonly table: readonly Route[]
  readonly api: Pick<ApiInProcess, 'ask'>
  /** Accepts tokens for this address or for the whole service. */
  readonly findCaller: FindCaller
  readonly limits: RateLimits
  readonly metrics: AssistantMetrics
  /** The pages of the reference, if the service has a reference. */
  readonly guides: (() => Promise<Guides>) | undefined
  readonly baseUrl: string
}

/** Answers the Model Context Protocol over streamable HTTP, without sessions. */
export function mcpRoute(dependencies: Dependencies): Answering {
  const { findCaller, limits, baseUrl } = dependencies
  const { origin } = new URL(baseUrl)
  const load = once(() => loadAnswerer(dependencies))
  const identify = async (request: FastifyRequest) => {
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw challenge(baseUrl)
    const caller = await findCaller(token)
    if (typeof caller === 'string') throw challenge(baseUrl, caller)
    request.caller = caller
    request.application = caller.application
    return caller
  }
  const requireReading = (caller: Caller) => {
    if (!hasApiScope(caller.scopes)) throw readingChallenge(baseUrl, caller)
  }
  return {
    async admit(request) {
      refuseOtherOrigins(request, origin)
      const caller = await identify(request)
      await limits.spendMessage(caller.application, caller.resourceOwnerId)
      requireReading(caller)
      refuseOtherTypes(request)
      answerType(request)
    },
    async answer(request, reply) {
      const { body } = request
      const caller = areRightsOld(reply) ? await identify(request) : defined(request.caller)
      requireReading(caller)
      // The protocol has no batches since 2025-06-18.
      if (!isRecord(body)) return sendRefusal(reply, 'The body must be one JSON-RPC message, and no batch.')
      const { answer, tools } = await load()
      const acting = actingTool(tools, body)
      if (acting && !caller.scopes.includes(ACTING_SCOPE)) {
        dependencies.metrics.count(acting.name, 'refused')
        throw actingChallenge(baseUrl, caller)
      }
      const received = { address: baseUrl + MCP_PATH, headers: headersOf(request), body }
      const response = await answer(received, (tool, given) => call(dependencies, request, tool, given))
      return sendResponse(reply, response, answerType(request))
    },
  }
}

/** Sends a JSON response of the protocol in the accepted type. */
async function sendResponse(reply: FastifyReply, response: Response, type: AnswerType): Promise<FastifyReply> {
  const bytes = Buffer.from(await response.arrayBuffer())
  reply.code(response.status).header('cache-control', 'no-store')
  if (bytes.length === 0) return reply.send(bytes)
  if (response.ok && type === 'text/event-stream')
    return reply.headers({ 'content-type': type, 'x-accel-buffering': 'no' }).send(serverSentEvent(bytes))
  return reply.header('content-type', 'application/json').send(bytes)
}

/** Loads the protocol at the first message, since few schools have assistants. */
async function loadAnswerer({ registry, table, guides }: Dependencies) {
  const { messageAnswerer } = await loadProtocol()
  const { assistantTools } = await import('./tools.ts')
  const tools = assistantTools(registry, table, guides)
  return { tools, answer: messageAnswerer(tools) }
}

/** Refuses calls from pages of other origins, which prevents DNS rebinding. */
function refuseOtherOrigins({ headers }: FastifyRequest, own: string): void {
  if (headers.origin !== undefined && headers.origin !== own)
    throw accessDenied(verbatim('Pages of other origins may not call this.'))
}

/** Refuses bodies of other types than JSON before reading them. */
function refuseOtherTypes({ headers }: FastifyRequest): void {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new HttpError(415, verbatim('The content type must be application/json.'))
}

const sendRefusal = (reply: FastifyReply, message: string) =>
  reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } })

/** Returns the acting tool that a message calls, if any. */
function actingTool(tools: readonly Tool[], { method, params }: Readonly<Record<string, unknown>>): Tool | undefined {
  if (method !== 'tools/call' || !isRecord(params)) return undefined
  return tools.find(({ name, acts }) => acts && name === params.name)
}

/** Headers that the protocol reads, none of which has a token. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Returns the headers for the SDK. It serves only clients that accept both types, so `sendResponse` writes the accepted one. */
const headersOf = ({ headers }: FastifyRequest): Readonly<Record<string, string>> => ({
  accept: 'application/json, text/event-stream',
  ...Object.fromEntries(
    READ_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  ),
})

/** Runs a tool. The call is counted, limited and logged as a call of the application. */
async function call(dependencies: Dependencies, request: FastifyRequest, tool: Tool, given: unknown) {
  const { api, limits, metrics } = dependencies
  const caller = { ...defined(request.caller), address: request.ip }
  let route: string | undefined
  const ask: ToolContext['ask'] = ({ route: found, params }, more = {}) => {
    const { method, path } = found
    route = `${method} ${path}`
    return api.ask(caller, { method, path, params, ...more })
  }
  const makeContext = async () => {
    let rate = DEFAULT_RATE
    const onState = (state: RateState) => {
      rate = state
    }
    await limits.spend(caller.application, onState, caller.resourceOwnerId)
    return { caller, rate, ask }
  }
  const onFailure = (error: unknown) =>
    request.log.error({ err: error, request_id: request.id, tool: tool.name }, 'request failed')
  const { result, refusal } = await runTool(tool, given, makeContext, onFailure)
  request.refusal = refusal?.reason
  request.innerCall = { tool: tool.name, route, status: refusal?.status ?? 200 }
  metrics.count(tool.name, refusal === undefined ? 'answered' : refusal.status < 500 ? 'refused' : 'failed')
  return result
}
