import { type Message, message } from '../../base/languages/say.ts'
import { suggesting } from '../../base/text/nearest.ts'
import { HttpError, malformed, unprocessable } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { isParams } from '../../http/params.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Route } from '../route-table.ts'
import { mayChooseId } from '../write/chosen-ids.ts'
import { legalName, type Shapes, type Writable } from './shapes.ts'

type Members = Readonly<Record<string, unknown>>

export type ReadDocument = {
  readonly payload: Members
  readonly places: ReadonlyMap<string, Place>
  readonly id: string | undefined
  /** Pointers to the nearest existing member for a missing attribute or relationship. */
  readonly nearest: { readonly attribute: string; readonly relationship: string }
  readonly relationships: ReadonlyMap<string, Writable>
}

/** Name of a field in JSON:API, and its pointer (RFC 6901). */
export type Place = { readonly name: string; readonly pointer: string }

export function placeOf(field: string, document: ReadDocument | undefined, resource: Resource): Place {
  if (!document) return { name: field, pointer: '' }
  // `loans_attributes[0]` is in the list of that name.
  const [, outer = field, element] = /^(\w+)\[(\d+)\]/.exec(field) ?? []
  const place = document.places.get(outer)
  if (place) {
    const isElement = element !== undefined && Array.isArray(document.payload[outer])
    const name = outer === field ? place.name : field
    return { name, pointer: isElement ? `${place.pointer}/${element}` : place.pointer }
  }
  const missing = [...document.relationships].find(([, { payload }]) => payload === field)
  if (missing) return { name: missing[0], pointer: document.nearest.relationship }
  return { name: legalName(resource, field), pointer: document.nearest.attribute }
}

/** Reads one resource object, or several to create at once. Throws 400, 403, 409 or 422. */
export function readDocuments(
  body: unknown,
  { action, resource }: Pick<Route, 'action' | 'resource'>,
  shapes: Shapes,
  caller: Caller,
): ReadDocument[] {
  const isNew = action !== 'update'
  const maySendId =
    !isNew || resource.payload?.accepts.includes('id') === true || mayChooseId(shapes.registry, resource, caller)
  const read = (object: Members, place: string) => readObject(object, place, resource, shapes, { isNew, maySendId })
  if (action !== 'bulk') return [read(dataOf(body, false), '/data')]
  return dataOf(body, true).map((object, place) => read(object, `/data/${place}`))
}

function dataOf(body: unknown, isList: true): readonly Members[]
function dataOf(body: unknown, isList: false): Members
function dataOf(body: unknown, isList: boolean): Members | readonly Members[] {
  const data = isParams(body) ? body.data : undefined
  if (isList && Array.isArray(data) && data.every(isParams)) return data
  if (!isList && isParams(data)) return data
  throw at(
    isParams(body) && Object.hasOwn(body, 'data') ? '/data' : '',
    isList
      ? 'The body must be a JSON:API document whose "data" is a list of resource objects.'
      : 'The body must be a JSON:API document whose "data" is one resource object.',
  )
}

function readObject(object: Members, place: string, resource: Resource, shapes: Shapes, rules: IdRules): ReadDocument {
  requireType(object, place, resource)
  const { isNew } = rules
  const id = readId(object, place, rules)
  const attributes = membersOf(object, 'attributes', place)
  const relationships = membersOf(object, 'relationships', place)
  const plainNames = new Map(Object.keys(resource.fields).map((name) => [legalName(resource, name), name]))
  // Without a prototype no sent name has a meaning.
  const payload: Record<string, unknown> = Object.create(null)
  const places = new Map<string, Place>()
  for (const [name, value] of Object.entries(attributes)) {
    // Some clients send back this reserved name among the attributes.
    if (name === 'links') continue
    const plain = acceptedName(resource, name, plainNames)
    payload[plain] = value
    places.set(plain, { name, pointer: `${place}/attributes/${escaped(name)}` })
  }
  if (isNew && id !== undefined) {
    payload.id = id
    places.set('id', { name: 'id', pointer: `${place}/id` })
  }
  const writables = shapes.writablesOf(resource)
  for (const [name, value] of Object.entries(relationships)) {
    const pointer = `${place}/relationships/${escaped(name)}`
    const writable = writables.get(name)
    if (!writable) throw unwritable(resource, name, pointer, value, [...writables.keys()])
    if (Object.hasOwn(payload, writable.payload)) throw faulty(name, 'is given as an attribute too', pointer)
    payload[writable.payload] = readLinkage(name, value, writable, pointer)
    places.set(writable.payload, { name, pointer })
  }
  const nearest = {
    attribute: object.attributes === undefined ? place : `${place}/attributes`,
    relationship: object.relationships === undefined ? place : `${place}/relationships`,
  }
  return { payload, places, id, nearest, relationships: writables }
}

function requireType(object: Members, place: string, { name }: Resource): void {
  if (typeof object.type !== 'string') throw at(place, message('The resource object needs a "type": {name}.', { name }))
  if (object.type !== name) {
    const values = { name, object: JSON.stringify(object.type.slice(0, 80)) }
    const source = { pointer: `${place}/type` }
    throw new HttpError(409, message('The type here is {name}, not {object}.', values), { source })
  }
}

type IdRules = { readonly isNew: boolean; readonly maySendId: boolean }

function readId({ id }: Members, place: string, { isNew, maySendId }: IdRules): string | undefined {
  if (id === undefined && isNew) return undefined
  if (typeof id !== 'string') {
    if (id === undefined) throw at(place, 'The resource object needs an "id".')
    throw at(`${place}/id`, 'The resource object needs an "id" that is a string.')
  }
  if (!maySendId) {
    throw new HttpError(403, 'The service chooses the id of a new record; leave it out.', {
      source: { pointer: `${place}/id` },
    })
  }
  return id
}

function membersOf(object: Members, name: 'attributes' | 'relationships', place: string): Members {
  const members = object[name]
  if (members === undefined) return {}
  if (!isParams(members)) throw at(`${place}/${name}`, message('"{name}" must be an object.', { name }))
  return members
}

/** Returns the plain name of an attribute. An unknown name stays, and is refused later. */
function acceptedName(resource: Resource, name: string, plainNames: ReadonlyMap<string, string>): string {
  const { accepts = [], extra = {} } = resource.payload ?? {}
  if (accepts.includes(name) || Object.hasOwn(extra, name)) return name
  return plainNames.get(name) ?? name
}

function readLinkage(name: string, relationship: unknown, { target, isList }: Writable, pointer: string): unknown {
  if (!isParams(relationship) || !Object.hasOwn(relationship, 'data'))
    throw at(pointer, message('The relationship {name} needs "data".', { name }))
  const { data } = relationship
  if (!isList) return data === null ? null : readIdentifier(name, data, target, `${pointer}/data`)
  if (!Array.isArray(data))
    throw at(`${pointer}/data`, message('The relationship {name} is to many: its data is a list.', { name }))
  return data.map((identifier, place) => readIdentifier(name, identifier, target, `${pointer}/data/${place}`))
}

function readIdentifier(name: string, identifier: unknown, target: string, pointer: string): string {
  if (!isParams(identifier))
    throw at(
      pointer,
      message('The relationship {name} needs identifiers: {example}.', { name, example: '{"type", "id"}' }),
    )
  const { type, id } = identifier
  if (type !== target) throw faulty(name, message('must be of the type {target}', { target }), pointer)
  if (typeof id !== 'string') throw faulty(name, 'needs an "id" that is a string', pointer)
  return id
}

/** A list that clients may not replace is 403 (JSON:API 1.1, Updating To-Many Relationships). */
function unwritable(
  { name: resource }: Resource,
  name: string,
  pointer: string,
  relationship: unknown,
  known: readonly string[],
): HttpError {
  if (isParams(relationship) && Array.isArray(relationship.data)) {
    return new HttpError(
      403,
      message('The relationship {name} of {resource} cannot be written.', { name: name.slice(0, 80), resource }),
      { source: { pointer } },
    )
  }
  return faulty(name.slice(0, 80), suggesting('is not accepted.', name, known), pointer)
}

const faulty = (name: string, text: Message, pointer: string) => {
  const { text: all, errors } = unprocessable({ [name]: [text] })
  return new HttpError(422, all, { errors, pointers: { [name]: pointer } })
}

const at = (pointer: string, text: Message) => malformed(text, undefined, { pointer })

/** Escapes a name in a pointer (RFC 6901 §3). */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
