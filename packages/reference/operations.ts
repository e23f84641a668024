import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { Operation, Parameter, ResponseOf } from './model.ts'

type Resolve = (part: JsonSchema) => JsonSchema
/** An operation of the document. */
export type WrittenOperation = {
  readonly requestBody?: JsonSchema
  readonly parameters?: readonly JsonSchema[]
  readonly responses?: Readonly<Record<string, JsonSchema>>
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-events'?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

export function readOperation(resolve: Resolve, method: string, path: string, part: WrittenOperation): Operation {
  const body = part.requestBody ? resolve(part.requestBody) : undefined
  return {
    method,
    path,
    id: String(part.operationId),
    summary: String(part.summary),
    description: String(part.description),
    access: String(part['x-access']),
    needsToken: part.security?.some((one) => 'bearer' in one) ?? false,
    parameters: (part.parameters ?? []).map((one) => readParameter(resolve(one))),
    payload: body ? jsonSchemaOf(body) : undefined,
    answers: Object.entries(part.responses ?? {}).map(([status, response]) =>
      readResponse(Number(status), resolve(response)),
    ),
  }
}

const readParameter = ({ name, in: location, description, required, schema, example }: JsonSchema): Parameter => ({
  name: String(name),
  in: location === 'path' || location === 'header' ? location : 'query',
  description: String(description ?? ''),
  isRequired: required === true,
  schema: { ...schema, ...(example === undefined ? {} : { examples: [example] }) },
})

const readResponse = (status: number, response: JsonSchema): ResponseOf => ({
  status,
  description: String(response.description),
  schema: jsonSchemaOf(response),
})

const jsonSchemaOf = ({ content }: JsonSchema): JsonSchema | undefined => content?.['application/json']?.schema
