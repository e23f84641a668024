import { once } from '@campus/engine/base/once'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** Throws if a response does not match the document. `json` is undefined if the response has no body. */
export type ResponseValidator = (
  method: string,
  pathWithQuery: string,
  status: number,
  headers: Pick<Headers, 'get'>,
  json: unknown,
) => void

type Part = Readonly<Record<string, unknown>>
type Dependencies = Readonly<Record<string, Part>>
type Check = (headers: Pick<Headers, 'get'>, json: unknown, hasBody: boolean) => string | undefined

/** Validates responses against the document. Compiles each schema once, on first use. */
export function responseValidator(document: OpenapiDocument): ResponseValidator {
  const methodsAt = pathFinder(document)
  const checkOf = checker(document)

  return (method, pathWithQuery, status, headers, json) => {
    // Preflight requests and oversized headers are answered before a route is found.
    if (method === 'OPTIONS' || status === 431) return
    const responses = responsesTo(methodsAt(pathWithQuery), method)
    const response = responses[status]
    const fault = response
      ? checkOf(response)(headers, json, method !== 'HEAD')
      : `the document lists only ${Object.keys(responses).join(', ')}`
    if (fault)
      throw new Error(
        `${method} ${pathWithQuery} answered ${status}: ${fault}\n${JSON.stringify(json)?.slice(0, 2000)}`,
      )
  }
}

/**
 * Returns the responses of an operation. Requests without an operation get 400 (malformed), 404 (unknown path), 405
 * (other method) or 429.
 */
function responsesTo(methods: Dependencies | undefined, method: string): Dependencies {
  const operation = methods?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation) return operation.responses as Dependencies
  return { 400: REFUSED, [methods ? 405 : 404]: REFUSED, 429: REFUSED }
}

const REFUSED: Part = {
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/vnd.api+json': { schema: { $ref: '#/components/schemas/JsonApiErrors' } },
  },
}

type Place = { readonly children: Map<string, Place>; methods?: Dependencies }

/** Finds the operations of a path like the router of the service: a literal segment precedes a parameter. */
function pathFinder({ paths, servers }: OpenapiDocument): (pathWithQuery: string) => Dependencies | undefined {
  const root: Place = { children: new Map() }
  const base = String(servers[0]?.url)
  for (const [path, item] of Object.entries(paths)) {
    const { servers: own = servers, ...methods } = item as Dependencies & { servers?: OpenapiDocument['servers'] }
    for (const { url } of own) {
      const place = segmentsOf(String(url).slice(base.length) + path).reduce((at, segment) => {
        const name = segment.startsWith('{') ? '{}' : segment
        const next: Place = at.children.get(name) ?? { children: new Map() }
        at.children.set(name, next)
        return next
      }, root)
      place.methods = { ...place.methods, ...methods }
    }
  }
  return (pathWithQuery) => {
    // The only path alias. The document does not list it.
    const path = (pathWithQuery.split('?', 1)[0] as string).replace(/^\/v2\/user\//, '/v2/users/')
    return find(root, segmentsOf(path.endsWith('/openapi.json') ? path : path.replace(/\.json$/, '')))
  }
}

function find(place: Place, [segment, ...rest]: readonly string[]): Dependencies | undefined {
  if (segment === undefined) return place.methods
  const candidates = [place.children.get(segment), place.children.get('{}')]
  for (const candidate of candidates) {
    const methods = candidate && find(candidate, rest)
    if (methods) return methods
  }
  return undefined
}

/** Ignores doubled and trailing slashes. */
const segmentsOf = (path: string) =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns a function that compiles the check of a response of the document. */
function checker(document: OpenapiDocument): (response: Part) => Check {
  const compile = compiler(document)
  const known = new Map<Part, Check>()
  const resolve = (part: Part): Part => {
    if (part.$ref === undefined) return part
    const [section = '', name = ''] = String(part.$ref).replace('#/components/', '').split('/')
    return document.components[section]?.[name] ?? {}
  }

  // Nearly all responses have the same headers.
  const knownHeaders = new Map<Part, HeaderCheck>()
  const checkOfHeader = (name: string, header: Part): HeaderCheck => {
    const check = knownHeaders.get(header) ?? headerCheck(name, header, compile)
    knownHeaders.set(header, check)
    return check
  }

  function make(response: Part): Check {
    const { headers = {}, content } = response as { headers?: Dependencies; content?: Dependencies }
    const headerChecks = Object.entries(headers).map(([name, header]) => checkOfHeader(name, resolve(header)))
    // Compiles each schema on first use, since few tests request every media type of a response. Binary bodies have no
    // schema.
    const bodies = new Map(
      Object.entries(content ?? {}).map(([type, { schema = {} }]) => [type, once(() => compile(schema as Part))]),
    )
    return (given, json, hasBody) => {
      for (const check of headerChecks) {
        const fault = check(given)
        if (fault) return fault
      }
      if (bodies.size === 0 || !hasBody)
        return json === undefined || json === '' ? undefined : 'there should be no body'
      const type = given.get('content-type')
      const compiled = bodies.get(String(type).split(';', 1)[0] as string) ?? bodies.get('*/*')
      if (!compiled) return `it came as ${type}`
      const body = compiled()
      return body(json) ? undefined : errorsOf(body)
    }
  }

  return (part) => {
    const response = resolve(part)
    const check = known.get(response) ?? make(response)
    known.set(response, check)
    return check
  }
}

type HeaderCheck = (headers: Pick<Headers, 'get'>) => string | undefined

function headerCheck(
  name: string,
  { required, schema }: Part,
  compile: (schema: Part) => ValidateFunction,
): HeaderCheck {
  const validate = compile(schema as Part)
  const isNumber = ['integer', 'number'].includes(String((schema as Part).type))
  return (headers) => {
    const value = headers.get(name)
    if (value === null) return required ? `the header ${name} is missing` : undefined
    return validate(isNumber ? Number(value) : value)
      ? undefined
      : `the header ${name} is "${value}": ${errorsOf(validate)}`
  }
}

/** Adds every schema of the document by name, so that schemas share the ones they refer to. */
function compiler({ components }: OpenapiDocument): (schema: Part) => ValidateFunction {
  const named = (schema: Part): Part =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"'))
  // Most schemas check only a few responses, so compile time matters more than run time.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, verbose: true, code: { optimize: false } })
  formats.default(ajv)
  for (const [name, schema] of Object.entries(components.schemas ?? {})) ajv.addSchema(named(schema), name)
  return (schema) => ajv.compile(named(schema))
}

const errorsOf = ({ errors }: ValidateFunction) =>
  (errors ?? [])
    .map(({ instancePath, message, params, data }) => {
      const { additionalProperty } = params as { additionalProperty?: string }
      const what = additionalProperty ? `additional ${additionalProperty}` : String(JSON.stringify(data)).slice(0, 200)
      return `${instancePath || 'the body'} ${message} (${what})`
    })
    .join('; ')
