import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { serviceVersion } from '../../base/service-version.ts'
import type { ToolResult } from './run-tool.ts'
import { ONLY_DATA, type Tool } from './tool.ts'

/** A message as it came. */
export type Received = {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Runs a tool for the caller of a message. */
export type CallTool = (tool: Tool, given: unknown) => Promise<ToolResult>

/** Answers messages of the Model Context Protocol over streamable HTTP: each by itself, so that any process answers any of them. */
export type AnswerMessage = (received: Received, call: CallTool) => Promise<Response>

const INSTRUCTIONS = `The intranet of a school: people, campuses, cursus, projects, evaluations, events, locations and what belongs to them, as its REST API has them. \
Find the resource by search_reference or describe_resource, then list, read, count or graph. Answers are cut to what can be read; their note says how to go on. \
Every call counts against the rate of the application. ${ONLY_DATA}`

/** Makes what answers messages. */
export function messageAnswerer(tools: readonly Tool[]): AnswerMessage {
  const serverInfo = { name: 'campus', title: 'Campus Intranet', version: serviceVersion() }
  const listed = { tools: tools.map(describeTool) }
  return async ({ address, headers, body }, call) => {
    // It looks at nothing that clients elicit, so that it needs no compiler of schemas of its own.
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: WITHOUT_SCHEMAS,
    })
    server.setRequestHandler(ListToolsRequestSchema, () => listed)
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = tools.find(({ name }) => name === params.name)
      if (!tool)
        throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name.slice(0, 60))}.`)
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

const WITHOUT_SCHEMAS = {
  getValidator: () => {
    throw new Error('This server asks clients for nothing.')
  },
}

const describeTool = ({ name, title, description, acts, isIdempotent = !acts, inputSchema }: Tool) => ({
  ...{ name, title, description, inputSchema },
  annotations: {
    title,
    readOnlyHint: !acts,
    destructiveHint: acts,
    idempotentHint: isIdempotent,
    // It reaches this service and nothing else.
    openWorldHint: false,
  },
})
