import type { JsonSchema } from '../../rest/declare/fields/kinds.ts'
import type { Operation, Parameter, ResponseOf } from './model.ts'

type Resolve = (part: JsonSchema) => JsonSchema
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** Reads one operation of the document. */
export function readOperation(resolve: Resolve, method: string, path: string, part: JsonSchema): Operation {
  const body = part.requestBody ? resolve(part.requestBody as JsonSchema) : undefined
  return {
    method,
    path,
    id: String(part.operationId),
    summary: String(part.summary),
    description: String(part.description),
    access: String(part['x-access']),
    parameters: ((part.parameters ?? []) as readonly JsonSchema[]).map((one) => readParameter(resolve(one))),
    payload: body ? jsonSchemaOf(body) : undefined,
    answers: Object.entries(part.responses as Readonly<Record<string, JsonSchema>>).map(([status, response]) =>
      readResponse(Number(status), resolve(response)),
    ),
  }
}

const readParameter = ({ name, in: location, description, required, schema }: JsonSchema): Parameter => ({
  name: String(name),
  in: location as Parameter['in'],
  description: String(description ?? ''),
  isRequired: required === true,
  schema: schema as JsonSchema,
})

const readResponse = (status: number, response: JsonSchema): ResponseOf => ({
  status,
  description: String(response.description),
  schema: jsonSchemaOf(response),
})

const jsonSchemaOf = ({ content }: JsonSchema): JsonSchema | undefined =>
  (content as Content | undefined)?.['application/json']?.schema
