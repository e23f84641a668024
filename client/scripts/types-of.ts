import openapiTS, { astToString } from 'openapi-typescript'
import { OF_EVERY_FIELD } from '../../src/rest/openapi/list-parameters.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth
type Part = any

const HEADING = '// Made from the OpenAPI document by "npm run generate -w client"; changes here are lost.\n\n'

/** The types of an OpenAPI document, as text. What the client takes care of by itself is left out. */
export async function typesOf(document: Part): Promise<string> {
  const types = astToString(await openapiTS(trimmed(structuredClone(document))))
  return HEADING + types.replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
}

/** Refusals are thrown, headers are read by the layer below, and one form of a payload is enough. */
function trimmed(document: Part): Part {
  for (const item of Object.values<Part>(document.paths)) {
    for (const operation of Object.values<Part>(item).filter((part) => part.responses)) {
      for (const status of Object.keys(operation.responses))
        if (Number(status) >= 300) delete operation.responses[status]
      const { content } = operation.requestBody ?? {}
      if (content?.['application/json'])
        operation.requestBody.content = { 'application/json': content['application/json'] }
      operation.parameters = operation.parameters?.filter(({ $ref = '' }: Part) => !$ref.endsWith('/If-None-Match'))
      for (const response of Object.values<Part>(operation.responses)) delete response.headers
    }
  }
  const { parameters = {}, responses = {}, schemas = {} } = document.components
  // What a field is stands with the record, and what a filter by it means is the same everywhere: that would be said ten thousand times.
  for (const parameter of Object.values<Part>(parameters)) {
    if (parameter.name === 'sort') parameter.description = parameter.description.split('\n')[0]
    if (OF_EVERY_FIELD.test(parameter.description)) delete parameter.description
  }
  for (const [name, response] of Object.entries<Part>(responses)) {
    delete response.headers
    for (const [type, content] of Object.entries<Part>(response.content ?? {})) {
      if (type !== 'application/json' && response.content['application/json']) delete response.content[type]
      else responses[name].content = { [type]: content }
    }
  }
  for (const name of Object.keys(schemas)) if (name.startsWith('JsonApi.')) delete schemas[name]
  delete document.components.headers
  return document
}
