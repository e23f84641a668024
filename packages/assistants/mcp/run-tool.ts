import { errorsInEnglish, type HttpError } from '@campus/engine/errors'
import { asHttpError } from '@campus/engine/http/errors'
import type { Tool, ToolContext } from './tool.ts'

/** What a tool gave, as the protocol has it. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: true
}

/** What came of a call, with the refusal if it was refused. */
export type Outcome = { readonly result: ToolResult; readonly refusal: HttpError | undefined }

/** Runs a tool. What the API refuses is a result too, in the API's own words; `onFailure` has what is nobody's refusal. */
export async function runTool(
  tool: Tool,
  given: unknown,
  context: () => Promise<ToolContext>,
  onFailure: (error: unknown) => void,
): Promise<Outcome> {
  try {
    const { data, notes = [] } = await tool.call(given, await context())
    const note = notes.length > 0 ? { note: notes.join(' ') } : {}
    return { result: resultOf({ ...note, ...data }), refusal: undefined }
  } catch (error) {
    const refusal = asHttpError(error)
    if (refusal.status >= 500) onFailure(error)
    return { result: { ...resultOf(described(refusal)), isError: true }, refusal }
  }
}

/** The same twice: as text for models, and as a value for programs. */
const resultOf = (structuredContent: Record<string, unknown>): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

function described({ status, error, message, errors, headers, reason }: HttpError): Record<string, unknown> {
  const seconds = headers['Retry-After']
  const note = [
    ...(seconds === undefined
      ? []
      : [`Try again in ${seconds} ${seconds === '1' ? 'second' : 'seconds'}, and not before.`]),
    ...(reason === 'scope' ? ['The person must allow the scope first, by signing in again from the assistant.'] : []),
  ]
  return {
    status,
    error,
    message,
    ...(errors && { errors: errorsInEnglish(errors) }),
    ...(seconds !== undefined && { retry_after_seconds: Number(seconds) }),
    ...(note.length > 0 && { note: note.join(' ') }),
  }
}
