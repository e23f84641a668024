import { errorsInEnglish, type HttpError } from '@campus/engine/errors'
import { asHttpError } from '@campus/engine/http/errors'
import { readArguments } from './arguments.ts'
import type { Tool, ToolContext } from './tool.ts'

/** The result of a call in the form of the protocol. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: true
}

/** Runs a tool. A refusal of the API is a result, too. Other errors go to `onFailure`. */
export async function runTool(
  { call, inputSchema }: Tool,
  given: unknown,
  makeContext: () => Promise<ToolContext>,
  onFailure: (error: unknown) => void,
): Promise<{ readonly result: ToolResult; readonly refusal: HttpError | undefined }> {
  try {
    const context = await makeContext()
    const { data, notes = [] } = await call(readArguments(given, Object.keys(inputSchema.properties)), context)
    const note = notes.length > 0 ? { note: notes.join(' ') } : {}
    return { result: resultOf({ ...note, ...data }), refusal: undefined }
  } catch (error) {
    const refusal = asHttpError(error)
    if (refusal.status >= 500) onFailure(error)
    return { result: { ...resultOf(described(refusal)), isError: true }, refusal }
  }
}

/** Returns data as text for models and as a value for programs. */
const resultOf = (structuredContent: Record<string, unknown>): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

function described({ status, error, message, errors, headers, reason }: HttpError): Record<string, unknown> {
  const seconds = headers['Retry-After']
  const notes: string[] = []
  if (seconds !== undefined)
    notes.push(`Try again in ${seconds} ${seconds === '1' ? 'second' : 'seconds'}, and not before.`)
  if (reason === 'scope') notes.push('The person must allow the scope first, by signing in again from the assistant.')
  return {
    status,
    error,
    message,
    ...(errors && { errors: errorsInEnglish(errors) }),
    ...(seconds !== undefined && { retry_after_seconds: Number(seconds) }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}
