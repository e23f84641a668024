import type { Client, Response } from './client.ts'

export const JSON_API = 'application/vnd.api+json'

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at every depth
type Part = any

/** Reads in JSON:API's form. */
export const read = (client: Client, path: string): Promise<Response> => client.get(path, { accept: JSON_API })

/** Writes a document, as stock clients do. */
export const write = (
  client: Client,
  method: string,
  path: string,
  document?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  client.request(method, path, {
    headers: { accept: JSON_API, 'content-type': JSON_API, ...headers },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
  })

/** Lists violations of JSON:API 1.1 with their places. `fields` states whether sparse fields were requested. */
export function errorsOf(document: Part, { hasFields = false } = {}): string[] {
  const faults: string[] = []
  const fault = (place: string, text: string) => faults.push(`${place || 'the document'} ${text}`)
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

  function only(place: string, object: Part, names: readonly string[]): boolean {
    if (!isObject(object)) {
      fault(place, 'is no object')
      return false
    }
    for (const name of Object.keys(object)) if (!names.includes(name)) fault(`${place}/${name}`, 'is not allowed')
    return true
  }

  /** Member Names. */
  function names(place: string, value: Part): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const [at, entry] of value.entries()) names(`${place}/${at}`, entry)
      return
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!/^[a-z0-9\u0080-\uffff]([\w\- \u0080-\uffff]*[a-z0-9\u0080-\uffff])?$/i.test(name))
        fault(`${place}/${name}`, 'has a name that is not allowed')
      names(`${place}/${name}`, inner)
    }
  }

  function links(place: string, object: Part, known: readonly string[]): void {
    if (object === undefined || !only(place, object, known)) return
    for (const [name, link] of Object.entries(object)) {
      const isUri = typeof link === 'string' && /^https?:\/\/[\w\-.~:/?@!$&'()*+,;=%#]+$/.test(link)
      if (link !== null && !isUri) fault(`${place}/${name}`, 'is no URI')
    }
  }

  function identifier(place: string, object: Part): void {
    if (!only(place, object, ['type', 'id', 'meta'])) return
    if (typeof object.type !== 'string' || typeof object.id !== 'string') fault(place, 'is no identifier')
  }

  function resource(place: string, object: Part): void {
    if (!only(place, object, ['type', 'id', 'attributes', 'relationships', 'links', 'meta'])) return
    if (typeof object.type !== 'string' || typeof object.id !== 'string' || object.id === '')
      fault(place, 'lacks a type or an id')
    const { attributes = {}, relationships = {} } = object
    names(`${place}/attributes`, attributes)
    for (const name of Object.keys(attributes)) {
      if (name === 'id' || name === 'type') fault(`${place}/attributes/${name}`, 'may not be called so')
      if (Object.hasOwn(relationships, name)) fault(`${place}/attributes/${name}`, 'is a relationship too')
    }
    names(`${place}/relationships`, relationships)
    for (const [name, relationship] of Object.entries<Part>(relationships)) {
      const at = `${place}/relationships/${name}`
      if (name === 'id' || name === 'type') fault(at, 'may not be called so')
      if (!only(at, relationship, ['links', 'data', 'meta'])) continue
      if (Object.keys(relationship).length === 0) fault(at, 'is empty')
      links(`${at}/links`, relationship.links, ['self', 'related'])
      const { data } = relationship
      if (Array.isArray(data)) for (const [index, entry] of data.entries()) identifier(`${at}/data/${index}`, entry)
      else if (data !== null && data !== undefined) identifier(`${at}/data`, data)
    }
    links(`${place}/links`, object.links, ['self'])
  }

  function error(place: string, object: Part): void {
    if (!only(place, object, ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta'])) return
    for (const name of ['status', 'code', 'title', 'detail'])
      if (typeof object[name] !== 'string') fault(`${place}/${name}`, 'is no text')
    links(`${place}/links`, object.links, ['about', 'type'])
    if (object.source !== undefined) only(`${place}/source`, object.source, ['pointer', 'parameter', 'header'])
  }

  if (!only('', document, ['jsonapi', 'links', 'data', 'included', 'meta', 'errors'])) return faults
  if (!('data' in document || 'errors' in document || 'meta' in document)) fault('', 'says nothing')
  if ('data' in document && 'errors' in document) fault('', 'has data and errors')
  if ('included' in document && !('data' in document)) fault('', 'has included without data')
  if (document.jsonapi?.version !== '1.1') fault('/jsonapi', 'is not 1.1')
  links('/links', document.links, ['self', 'related', 'first', 'last', 'prev', 'next'])
  names('/meta', document.meta)
  for (const [at, object] of (document.errors ?? []).entries()) error(`/errors/${at}`, object)

  const primary: Part[] = Array.isArray(document.data) ? document.data : document.data ? [document.data] : []
  const included: Part[] = document.included ?? []
  for (const [at, object] of primary.entries()) resource(`/data/${at}`, object)
  for (const [at, object] of included.entries()) resource(`/included/${at}`, object)

  const keyOf = ({ type, id }: Part) => `${type} ${id}`
  const objects = new Map<string, Part>()
  for (const object of [...primary, ...included]) {
    if (objects.has(keyOf(object))) fault('', `has ${keyOf(object)} twice`)
    objects.set(keyOf(object), object)
  }
  // Compound documents need full linkage, but for what sparse fields leave out.
  const reached = new Set(primary.map(keyOf))
  for (const key of reached) {
    for (const { data } of Object.values<Part>(objects.get(key)?.relationships ?? {})) {
      for (const linked of [data].flat()) if (linked) reached.add(keyOf(linked))
    }
  }
  if (!hasFields) for (const object of included) if (!reached.has(keyOf(object))) fault('', `links no ${keyOf(object)}`)
  return faults
}
