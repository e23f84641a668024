import type { ToolResult } from './run-tool.ts'
import type { Tool } from './tool.ts'

export type Received = {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

export type CallTool = (tool: Tool, given: unknown) => Promise<ToolResult>

/** Description of the service, the same in every revision of the protocol. */
export type ServerDescription = {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string }
  readonly instructions: string
  /** The supported revisions, newest first. */
  readonly versions: readonly string[]
  readonly tools: readonly Tool[]
  /** The tools as clients see them. */
  readonly listed: { readonly tools: ReturnType<typeof describeTool>[] }
}

export const describeTool = ({ name, title, description, acts, isIdempotent, inputSchema }: Tool) => ({
  name,
  title,
  description,
  inputSchema,
  annotations: {
    title,
    readOnlyHint: !acts,
    destructiveHint: acts === true,
    idempotentHint: isIdempotent ?? !acts,
    openWorldHint: false, // The tools call only this service.
  },
})
