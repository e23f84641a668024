import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { Example } from './examples.ts'
import type { Operation, Reference } from './model.ts'

type Resolve = Reference['resolve']

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:00:00.000Z',
  date: '2026-01-15',
  uri: 'https://example.org/',
}

/** Makes an example from schemas: required parameters, a page of one record, all fields of the payload, and the first success. */
export function exampleOfOperation(resolve: Resolve, operation: Operation): Example {
  const { method, path, needsToken, parameters, payload, answers } = operation
  const exampleFor = (name: string, schema: JsonSchema) =>
    // The schema of an id is a string if the resource also accepts slugs.
    /(^|_)id$/.test(name) ? '1' : encodeURIComponent(String(exampleOfSchema(resolve, schema)))
  const address = path.replace(/\{(\w+)\}/g, (_, name) =>
    exampleFor(name, parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {}),
  )
  const query = parameters
    // The example of a list has one element.
    .filter((one) => one.in === 'query' && (one.isRequired || one.name === 'per_page'))
    .map(({ name, schema }) => `${name}=${name === 'per_page' ? 1 : exampleFor(name, schema)}`)
  const success = answers.find(({ status }) => status < 300)
  return {
    method,
    path: query.length > 0 ? `${address}?${query.join('&')}` : address,
    hasToken: needsToken,
    ...(payload ? { body: exampleOfSchema(resolve, payload) } : {}),
    status: success?.status ?? 200,
    headers: {},
    ...(success?.schema ? { answer: exampleOfSchema(resolve, success.schema) } : {}),
  }
}

/**
 * Makes a value for a schema: its first example if any, all properties of an object, one element of a list. Returns
 * undefined for a recursive schema, which leaves out a property and empties a list.
 */
export function exampleOfSchema(resolve: Resolve, part: JsonSchema, within: readonly JsonSchema[] = []): unknown {
  const schema = resolve(part)
  if (within.includes(schema)) return undefined
  const inner = (one: JsonSchema) => exampleOfSchema(resolve, one, [...within, schema])
  const [example] = [schema.examples].flat()
  const given = example ?? schema.const ?? schema.enum?.[0] ?? schema.default
  if (given !== undefined) return given
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.map(inner).find((value) => value !== undefined)
  return exampleOfType(schema, inner)
}

function exampleOfType(schema: JsonSchema, inner: (part: JsonSchema) => unknown): unknown {
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
          const value = inner(property)
          return value === undefined ? [] : [[name, value]]
        }),
      )
    case 'array': {
      const element = inner(schema.items ?? {})
      const length = Math.min(Number(schema.minItems ?? 1), Number(schema.maxItems ?? Number.POSITIVE_INFINITY))
      return element === undefined ? [] : Array(length).fill(element)
    }
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, Number(schema.minimum ?? 1)), Number(schema.maximum ?? Number.POSITIVE_INFINITY))
    case 'boolean':
      return true
    case 'string':
      return FORMATS[String(schema.format)] ?? 'string'.slice(0, Number(schema.maxLength ?? Number.POSITIVE_INFINITY))
    default:
      return null
  }
}
