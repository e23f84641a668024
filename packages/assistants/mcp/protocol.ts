import { serviceVersion } from '@campus/engine/base/service'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { type CallTool, describeTool, type Received, type ServerDescription } from './server-description.ts'
import { answerStateless, isStateless, STATELESS_VERSION, unknownTool } from './stateless.ts'
import { ONLY_DATA, type Tool } from './tool.ts'

/** Answers a message without a session, so that any process can answer any message. */
type AnswerMessage = (received: Received, call: CallTool) => Promise<Response>

const INSTRUCTIONS = `The intranet of a school: people, campuses, cursus, projects, evaluations, events, locations and what belongs to them, as its REST API has them. \
Find the resource by search_reference or describe_resource, then list, read, count or graph. Answers are cut to what can be read; their note says how to go on. \
Every call counts against the rate of the application. ${ONLY_DATA}`

/** Returns a function that answers messages of all supported revisions. */
export function messageAnswerer(tools: readonly Tool[]): AnswerMessage {
  const description: ServerDescription = {
    serverInfo: { name: 'campus', title: 'Campus Intranet', version: serviceVersion() },
    instructions: INSTRUCTIONS,
    versions: [STATELESS_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS],
    tools,
    listed: { tools: tools.map(describeTool) },
  }
  const answerWithHandshake = handshakeAnswerer(description)
  return (received, call) =>
    isStateless(received) ? answerStateless(description, received, call) : answerWithHandshake(received, call)
}

/** Answers messages of the revisions that begin with `initialize`. */
function handshakeAnswerer({ serverInfo, instructions, tools, listed }: ServerDescription): AnswerMessage {
  return async ({ address, headers, body }, call) => {
    const options = { capabilities: { tools: {} }, instructions, jsonSchemaValidator: NO_VALIDATOR }
    const server = new Server(serverInfo, options)
    server.setRequestHandler(ListToolsRequestSchema, () => listed)
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = tools.find(({ name }) => name === params.name)
      if (!tool) throw new McpError(ErrorCode.InvalidParams, unknownTool(params.name))
      return call(tool, params.arguments)
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(new Request(address, { method: 'POST', headers }), { parsedBody: body })
    } finally {
      await server.close()
    }
  }
}

/** Replaces the default validator, which would compile schemas. Only elicitation would need a validator. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('This server asks clients for nothing.')
  },
}
