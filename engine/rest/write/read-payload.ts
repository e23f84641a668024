import type { Values } from '../../actions.ts'
import { type Message, message } from '../../base/languages/say.ts'
import { nearest } from '../../base/text/nearest.ts'
import { refuseIfAny } from '../../errors.ts'
import { isParams } from '../../http/params.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Column } from '../declare/fields/field.ts'
import {
  type Kind,
  MAX_INTEGER,
  type PublicAddresses,
  type SqlValue,
  WrongParts,
  WrongValue,
} from '../declare/fields/kinds.ts'
import { CHOSEN_ID } from './chosen-ids.ts'
import type { Sent } from './unwrap.ts'

type Read = {
  readonly hasId: boolean
  readonly values: Values
  readonly nested: ReadonlyMap<string, readonly Sent[]>
  readonly pointed: ReadonlyMap<string, Sent>
  readonly links: ReadonlyMap<string, readonly number[]>
}

export const IGNORED: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at'])

/** Error of an id that contradicts the path or the surrounding record. */
export const sameAs = (where: 'path' | 'record around it', value: SqlValue) =>
  where === 'path'
    ? message('must be {value} or left out, since the path says so', { value: String(value) })
    : message('must be {value} or left out, since the record around it says so', { value: String(value) })

export type ReadOptions = {
  readonly creating: boolean
  /** Values of the path. A payload may repeat but not contradict them. */
  readonly given?: Values
  readonly by?: string | undefined
  readonly mayChooseId?: boolean
  readonly now: Date
  readonly wire: PublicAddresses
}

/** Reads the values of a payload. Throws 422 with all errors. */
export function readPayload(
  resource: Resource,
  payload: Sent,
  { creating, given = {}, by, mayChooseId = false, now, wire }: ReadOptions,
): Read {
  const { accepts = [], requires = [], extra = {}, nested = {}, pointed = {}, links = {} } = resource.payload ?? {}
  const values: Record<string, SqlValue> = {}
  const nestedValues = new Map<string, readonly Sent[]>()
  const pointedValues = new Map<string, Sent>()
  const linkValues = new Map<string, readonly number[]>()
  const errors: Record<string, Message[]> = Object.create(null)
  let unknown = 0

  for (const [name, input] of Object.entries(payload)) {
    try {
      const column = columnFor(resource, name, mayChooseId)
      if (column) {
        const readable = column.fromShown ? column.fromShown(input, wire) : input
        if (readable === undefined) continue
        const value = checkRule(resource, name, readValue(column, readable), now)
        if (!('ignored' in column && column.ignored)) values[name] = value
      } else if (Object.hasOwn(pointed, name)) pointedValues.set(name, readElement(input))
      else if (Object.hasOwn(nested, name) && (creating || !nested[name]?.atCreation))
        nestedValues.set(name, readElements(input))
      else if (Object.hasOwn(links, name)) linkValues.set(name, readIds(input))
      else if (!IGNORED.has(name) && !isShown(resource, name)) {
        unknown += 1
        errors[shown(name)] = [notAccepted(name, resource, unknown)]
      }
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      if (error instanceof WrongParts) {
        for (const [path, fault] of error.errors) errors[shown(name + path)] = [fault]
      } else errors[shown(name)] = [error.text]
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (values[name] != null && values[name] !== value) errors[name] = [sameAs('path', value)]
  }
  if (creating) Object.assign(values, given)
  if (mayChooseId && values.id === null) delete values.id

  for (const name of accepts) {
    if (errors[name]) continue
    const isRequired = requires.includes(name)
    const isBlank = values[name] === null && (isRequired || !resource.stored(name)?.nullable)
    const isMissing = creating && isRequired && values[name] == null && name !== by
    if (isMissing || (isBlank && !creating && !IGNORED.has(name))) errors[name] = ["can't be blank"]
    // A blank stands for the column's default. Fields of the service stay unchanged.
    else if (isBlank) delete values[name]
  }
  // The error `list[0].name` belongs to `list`.
  const faulty = new Set(Object.keys(errors).map((path) => path.split('[', 1)[0]))
  for (const [name, { required = requires.includes(name) }] of Object.entries(extra)) {
    const isAsked = creating || Object.hasOwn(values, name)
    if (isAsked && required && values[name] == null && !faulty.has(name)) errors[name] = ["can't be blank"]
  }
  refuseIfAny(errors)
  refuseIfAny(resource.payload?.together?.(values, creating) ?? {})
  const hasId = payload.id != null && payload.id !== ''
  return { hasId, values, nested: nestedValues, pointed: pointedValues, links: linkValues }
}

function columnFor({ payload, stored }: Resource, name: string, mayChooseId: boolean) {
  const { accepts = [], extra = {} } = payload ?? {}
  if (accepts.includes(name)) return stored(name)
  if (Object.hasOwn(extra, name)) return extra[name]
  return name === 'id' && mayChooseId ? CHOSEN_ID : undefined
}

/** Reports whether the API shows the field, so that clients may send it back. */
const isShown = (resource: Resource, name: string): boolean =>
  ['record', ...Object.values(resource.answers ?? {})].some((representation) =>
    resource.representationFields(representation).some(([shownName]) => shownName === name),
  )

/** Reads a value. A blank is null. Throws WrongValue. */
export function readValue({ kind, storing }: Column, input: unknown): SqlValue {
  const reader: Kind = storing?.kind ?? kind
  if (typeof input === 'string' && input.trim() === '') return reader.blank ?? null
  if (input === null || input === undefined) return null
  return reader.read(input)
}

function checkRule({ payload }: Resource, name: string, value: SqlValue, now: Date): SqlValue {
  const fault = value === null ? undefined : payload?.rules?.[name]?.(value, now)
  if (fault !== undefined) throw new WrongValue(fault)
  return value
}

const elementsOf = (input: Sent): readonly unknown[] =>
  Object.keys(input).every((name) => /^\d+$/.test(name)) ? Object.values(input) : [input]

function readElement(input: unknown): Sent {
  if (!isParams(input)) throw new WrongValue('must be an object')
  return input
}

/** Reads a list of objects in any form of Rails: a list, an object with numbers for names, or one element. */
function readElements(input: unknown): readonly Sent[] {
  const list: unknown = isParams(input) ? elementsOf(input) : input
  if (!Array.isArray(list) || !list.every(isParams)) throw new WrongValue('must be a list of objects')
  if (list.length > 1000) throw new WrongValue('holds more than 1000 elements')
  return list
}

function readIds(input: unknown): readonly number[] {
  const list = Array.isArray(input) ? input : typeof input === 'string' ? input.split(',') : input === null ? [] : input
  if (!Array.isArray(list) || list.length > 1000) throw new WrongValue('must be a list of at most 1000 ids')
  return [...new Set(list.filter((id) => id !== '' && id !== null).map(readId))]
}

function readId(input: unknown): number {
  const id = typeof input === 'string' && /^\s*\d{1,10}\s*$/.test(input) ? Number(input) : input
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_INTEGER) return id
  throw new WrongValue('must be a list of ids')
}

const MAX_SUGGESTIONS = 20

function notAccepted(name: string, { payload }: Resource, unknown: number): Message {
  // The search for a suggestion is slow.
  if (unknown > MAX_SUGGESTIONS) return 'is not accepted'
  const { accepts = [], extra = {}, nested = {}, pointed = {}, links = {} } = payload ?? {}
  const known = [...accepts, ...[extra, nested, pointed, links].flatMap((names) => Object.keys(names))]
  const near = nearest(name, known)
  return near === undefined ? 'is not accepted' : message('is not accepted; did you mean "{near}"?', { near })
}

export const shown = (name: string) => JSON.stringify(name.slice(0, 80)).slice(1, -1)
