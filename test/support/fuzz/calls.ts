import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import fc from 'fast-check'
import { JSON_API } from '../json-api.ts'
import { written } from './bodies.ts'
import { type Damage, damages } from './damages.ts'
import { type KnownIds, resolve, type Schema, valuesOf } from './schema-values.ts'

export type Representation = 'plain' | 'JSON:API'

/** An operation of the OpenAPI document. */
export type Operation = {
  readonly method: string
  readonly path: string
  readonly resource: string
  readonly part: Schema
}

/** A serialized request. */
export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether the request matches the document. */
  readonly isSound: boolean
}

/** A request before it is serialized, so that each part can be damaged. */
export type Draft = {
  readonly method: string
  /** Segments of the path, with encoded values of the parameters. */
  readonly segments: readonly string[]
  readonly query: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly type?: string | undefined
  readonly body?: unknown
}

/** Returns the operations of the document. */
export const operationsOf = ({ paths }: OpenapiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Schema>>)
      .filter(([method]) => method !== 'servers')
      .map(([method, part]) => {
        const [resource = ''] = (part.tags ?? []) as string[]
        return { method: method.toUpperCase(), path, resource, part }
      }),
  )

/** Generates requests of an operation: valid ones, and ones with one to three faults. */
export function callMaker(document: OpenapiDocument, ids: KnownIds) {
  const valueFor = valuesOf(document, ids)

  function sound({ method, path, part, resource }: Operation, representation: Representation): fc.Arbitrary<Draft> {
    const parameters = ((part.parameters ?? []) as Schema[]).map((one) => ({
      ...(resolve(document, one) as { name: string; in: string; style?: string; required?: boolean; schema: Schema }),
      // `campus.path.campus_id` is an id of campus.
      resource:
        String(one.$ref ?? '')
          .split('/')
          .at(-1)
          ?.split('.')[0] ?? '',
    }))
    const segments = path.split('/').map((segment): fc.Arbitrary<string> => {
      const parameter = parameters.find((one) => one.in === 'path' && segment === `{${one.name}}`)
      if (!parameter) return fc.constant(segment)
      const there = ids.get(parameter.resource)?.map(String) ?? []
      const isId = /(^|_)id$/.test(parameter.name) && there.length > 0
      const values = isId ? fc.constantFrom(...there) : valueFor(parameter.schema)
      return values.map((value) => encodeURIComponent(String(value).toWellFormed()) || '1')
    })
    const query = parameters.filter(
      (one) => one.in === 'query' && (representation === 'JSON:API' || !isJsonApis(one.name)),
    )
    const pairs = query.map(({ name, style, schema }) =>
      valueFor(schema).map((value) =>
        style === 'deepObject'
          ? `${name}[${resource}]=id`
          : `${encodeURIComponent(name)}=${encodeURIComponent(listed(value))}`,
      ),
    )
    const [required, optional] = [true, false].map((wanted) =>
      pairs.filter((_, at) => Boolean(query[at]?.required) === wanted),
    )
    const headers = parameters.flatMap(({ in: place, name, schema }) =>
      place === 'header' && !['If-Match', 'If-None-Match'].includes(name)
        ? [[name.toLowerCase(), valueFor(schema)] as const]
        : [],
    )
    return fc
      .record({
        segments: fc.tuple(...segments),
        required: fc.tuple(...(required ?? [])),
        optional: optional?.length ? fc.array(fc.oneof(...optional), { maxLength: 2 }) : fc.constant([]),
        headers: fc.record(Object.fromEntries(headers), { requiredKeys: [] }),
        content: contentOf(part, resource, representation),
      })
      .map(({ segments, required, optional, headers, content }) => ({
        method,
        segments,
        query: [...required, ...optional],
        headers: {
          ...printable(headers),
          ...(representation === 'JSON:API' ? { accept: JSON_API } : {}),
        },
        ...addressed(content, method, segments),
      }))
  }

  function contentOf({ requestBody }: Schema, resource: string, representation: Representation) {
    const { content } = (requestBody ?? {}) as { content?: Readonly<Record<string, { readonly schema: Schema }>> }
    if (!content) return fc.constant({})
    const kinds = Object.entries(content).filter(([type]) => type !== JSON_API)
    const plain = fc.oneof(...kinds.map(([type, { schema }]) => valueFor(schema).map((body) => ({ type, body }))))
    const document = content[JSON_API]
    if (representation === 'plain' || !document) return plain
    return fc
      .tuple(valueFor(document.schema), plain)
      .map(([body, { body: values }]) => ({ type: JSON_API, body: asDocument(body, values, resource) }))
  }

  /**
   * Converts a payload to a JSON:API document. The schema of the document does not list attributes. Ids become
   * relationships.
   */
  function asDocument(given: unknown, values: unknown, resource: string): unknown {
    const [payload = {}] = Object.values((values ?? {}) as object) as object[]
    const { data } = given as { data: Readonly<Record<string, unknown>> }
    if (Array.isArray(data)) return given
    const [attributes, relationships] = [{}, {}] as Record<string, unknown>[]
    for (const [name, value] of Object.entries(payload)) {
      const [, relation] = /^(\w+)_id$/.exec(name) ?? []
      const target = [relation, `${relation}s`].find((one) => one && ids.has(one))
      if (!relation || !target) Object.assign(attributes as object, { [name]: value })
      else
        Object.assign(relationships as object, {
          [relation]: { data: value === null ? null : { type: target, id: String(value) } },
        })
    }
    return { data: { type: resource, attributes, relationships } }
  }

  return {
    /** Generates valid requests. */
    sound: (operation: Operation, representation: Representation): fc.Arbitrary<Call> =>
      sound(operation, representation).map((draft) => finish(draft, [])),
    /** Generates requests with one to three faults. */
    broken: (operation: Operation, representation: Representation): fc.Arbitrary<Call> =>
      fc
        .tuple(sound(operation, representation), fc.array(damages(operation.path), { minLength: 1, maxLength: 3 }))
        .map(([draft, faults]) => finish(draft, faults)),
  }
}

/** Applies the damages to the parts of a request, serializes it, and applies the damages to the body text. */
function finish(draft: Draft, faults: readonly Damage[]): Call {
  const { method, segments, query, headers, type, body } = faults.reduce(
    (at, { draft: change }) => change?.(at) ?? at,
    draft,
  )
  const path = `${segments.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const content = type === undefined ? undefined : written(type, body)
  const text = content && faults.reduce((at, { body: change }) => change?.(at, type as string) ?? at, content.text)
  return {
    method,
    path,
    headers: { ...(content ? { 'content-type': content.type } : {}), ...headers },
    ...(text === undefined || method === 'GET' ? {} : { body: text }),
    isSound: faults.length === 0,
  }
}

/** Sets the id of the record in the document of an update, as JSON:API requires. */
function addressed(content: { type?: string; body?: unknown }, method: string, segments: readonly string[]) {
  const { data } = (content.body ?? {}) as { data?: object }
  if (content.type !== JSON_API || method === 'POST' || !data || Array.isArray(data)) return content
  return { ...content, body: { data: { ...data, id: segments.at(-1) } } }
}

const isJsonApis = (name: string) => name === 'include' || name === 'fields'
const listed = (value: unknown) => [value].flat().map(String).join(',').toWellFormed()
/** Restricts header values to bytes. */
const printable = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value).replace(/[^ -~]/g, '') || 'x']),
  )
