import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { literal, TYPESCRIPT } from './literal.ts'
import { addressOf, pathOf, pathValues, queryOf, type SampleRequest } from './request.ts'

/** Writes the request with the TypeScript client, or with `fetch` if it needs no token. */
export const typescriptOf = (request: SampleRequest): string =>
  request.hasToken ? withClient(request) : withFetch(request)

function withClient({ method, path, body, operation, resolve }: SampleRequest): string {
  const schemaOf = (name: string) => resolve(operation.parameters.find((one) => one.name === name)?.schema ?? {})
  const typed = (values: readonly (readonly [name: string, value: string])[]) =>
    Object.fromEntries(values.map(([name, value]) => [name, typedValue(schemaOf(name), value)]))
  const parameters = pathValues(operation.path, pathOf(path))
  const query = queryOf(path)
  const options = {
    ...(parameters.length > 0 ? { path: typed(parameters) } : {}),
    ...(query.length > 0 ? { query: typed(query) } : {}),
    ...(body === undefined ? {} : { body: typedBody(resolve, operation.payload ?? {}, body) }),
  }
  const init = Object.keys(options).length > 0 ? `, ${literal(TYPESCRIPT, options)}` : ''
  const call = `await campus.${method.toLowerCase()}(${literal(TYPESCRIPT, operation.path)}${init})`
  return `import { campusClient } from 'campus-intranet-client'

const { API = '', ID = '', SECRET = '' } = process.env
const campus = campusClient({ url: API, clientId: ID, clientSecret: SECRET })

${hasAnswer(operation.answers) ? `console.log(${call})` : call}`
}

const hasAnswer = (answers: SampleRequest['operation']['answers']) =>
  answers.some(({ status, schema }) => status < 300 && schema !== undefined)

function withFetch({ method, path, body }: SampleRequest): string {
  const options = {
    ...(method === 'GET' ? {} : { method }),
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' } }),
  }
  const lines = Object.entries(options).map(([name, value]) => `  ${name}: ${literal(TYPESCRIPT, value, '  ')},\n`)
  if (body !== undefined) lines.push(`  body: JSON.stringify(${literal(TYPESCRIPT, body, '  ')}),\n`)
  const init = lines.length > 0 ? `, {\n${lines.join('')}}` : ''
  return `const answer = await fetch(process.env.API + ${literal(TYPESCRIPT, addressOf(path))}${init})
console.log(await answer.json())`
}

/** Converts a text of an address to the type that the client takes. */
function typedValue(schema: JsonSchema, text: string): unknown {
  const types = [schema.type].flat()
  if (types.includes('array')) {
    const items = text.split(',').map((one) => typedValue(schema.items ?? {}, one))
    return items.length === 1 ? items[0] : items
  }
  if (types.includes('boolean')) return text === 'true'
  const isNumber = (types.includes('integer') || types.includes('number')) && /^\d+$/.test(text)
  return isNumber ? Number(text) : text
}

/** Converts texts of a payload to the types that the client takes. */
function typedBody(resolve: SampleRequest['resolve'], part: JsonSchema, value: unknown): unknown {
  const schema = resolve(part)
  const within = (one: unknown, inner: JsonSchema | undefined) => typedBody(resolve, inner ?? {}, one)
  if (Array.isArray(value)) return value.map((one) => within(one, schema.items))
  if (typeof value === 'object' && value !== null) {
    const { properties = {} } = schema
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one, properties[name])]))
  }
  if (typeof value !== 'string') return value
  return [schema.type].flat().includes('array') && value.startsWith('[') ? JSON.parse(value) : typedValue(schema, value)
}
