import { malformed, refuseIfAny } from '../../errors.ts'
import { isParams } from '../../http/params.ts'
import { nearest } from '../../nearest.ts'
import type { Column } from '../declare/fields/field.ts'
import { type Kind, type SqlValue, WrongParts, WrongValue } from '../declare/fields/kinds.ts'
import type { Resource } from '../declare/resource.ts'

/** What a client asks to be written, read and checked against the declaration. */
export type PayloadValues = {
  readonly values: Readonly<Record<string, SqlValue>>
  /** `<assoc>_attributes`, each element still as it was sent. */
  readonly nested: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
  /** `<assoc>_attributes` of one other record, still as it was sent. */
  readonly pointed: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** `<name>_ids`. */
  readonly links: ReadonlyMap<string, readonly number[]>
}

/** A payload that holds nothing. */
export const NOTHING: PayloadValues = { values: {}, nested: new Map(), pointed: new Map(), links: new Map() }

type Source = { readonly body: unknown; readonly query: unknown }

/** Fields that clients send back though only the service writes them. */
export const IGNORED: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at'])

/** Takes the payload out of the body or, when that is empty, the query string (wire-facts §0.1). Throws 400. */
export function unwrap(
  { singular, payload: declared }: Pick<Resource, 'singular' | 'payload'>,
  { body, query }: Source,
): Readonly<Record<string, unknown>> {
  const source = body === undefined || body === null ? query : body
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    throw malformed(`The body must be an object that holds the payload under "${singular}".`)
  }
  const payload = (source as Record<string, unknown>)[singular]
  if (payload === null && declared?.nullable) return {}
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw malformed(`The payload is missing: it must be an object under "${singular}".${sentInstead(singular, source)}`)
  }
  return payload as Record<string, unknown>
}

/** The wrapper that was sent, where it is nearly the right one. */
function sentInstead(singular: string, source: object): string {
  const near = nearest(singular, Object.keys(source))
  return near === undefined || near === singular ? '' : ` What is under "${near}" is not read.`
}

/** What is wrong with an id that contradicts what a record hangs under. */
export const sameAs = (where: 'path' | 'record around it', value: SqlValue) =>
  `must be ${value} or left out, since the ${where} says so`

type PayloadOptions = {
  readonly creating: boolean
  /** Values that the path supplies; a payload may repeat them, not contradict them. */
  readonly given?: Readonly<Record<string, SqlValue>>
  readonly now: Date
}

/** Reads a payload. Throws 422 with every error that it has. */
export function readPayload(
  resource: Resource,
  payload: Readonly<Record<string, unknown>>,
  { creating, given = {}, now }: PayloadOptions,
): PayloadValues {
  const { accepts = [], requires = [], extra = {}, nested = {}, pointed = {}, links = {} } = resource.payload ?? {}
  const values: Record<string, SqlValue> = {}
  const nestedValues = new Map<string, readonly Record<string, unknown>[]>()
  const pointedValues = new Map<string, Readonly<Record<string, unknown>>>()
  const linkValues = new Map<string, readonly number[]>()
  const errors: Record<string, string[]> = Object.create(null)
  let unknown = 0

  for (const [name, input] of Object.entries(payload)) {
    try {
      const column = accepts.includes(name)
        ? resource.stored(name)
        : Object.hasOwn(extra, name)
          ? extra[name]
          : undefined
      if (column) {
        const value = checkRule(resource, name, readValue(column, input), now)
        if (!('ignored' in column && column.ignored)) values[name] = value
      } else if (Object.hasOwn(pointed, name)) pointedValues.set(name, readElement(input))
      else if (Object.hasOwn(nested, name) && (creating || !nested[name]?.atCreation))
        nestedValues.set(name, readElements(input))
      else if (Object.hasOwn(links, name)) linkValues.set(name, readIds(input))
      else if (!IGNORED.has(name)) {
        unknown += 1
        throw new WrongValue(notAccepted(name, resource, unknown))
      }
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      if (error instanceof WrongParts) {
        for (const [path, fault] of error.errors) errors[shown(name + path)] = [fault]
      } else errors[shown(name)] = [error.message]
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (values[name] != null && values[name] !== value) errors[name] = [sameAs('path', value)]
  }
  if (creating) Object.assign(values, given)

  for (const name of accepts) {
    if (errors[name]) continue
    const isRequired = requires.includes(name)
    const isBlank = values[name] === null && (isRequired || !resource.stored(name)?.nullable)
    const isMissing = creating && isRequired && values[name] == null
    if (isMissing || (isBlank && !creating && !IGNORED.has(name))) errors[name] = ["can't be blank"]
    // A blank for a column that has a default asks for the default; what the service writes itself it keeps.
    else if (isBlank) delete values[name]
  }
  // `list[0].name` is a fault of `list`.
  const faulty = new Set(Object.keys(errors).map((path) => path.split('[', 1)[0]))
  for (const [name, { required = requires.includes(name) }] of Object.entries(extra)) {
    const isAsked = creating || Object.hasOwn(values, name)
    if (isAsked && required && values[name] == null && !faulty.has(name)) errors[name] = ["can't be blank"]
  }
  refuseIfAny(errors)
  refuseIfAny(resource.payload?.together?.(values, creating) ?? {})
  return { values, nested: nestedValues, pointed: pointedValues, links: linkValues }
}

/** Reads a payload that may hold these columns, or may be missing. Throws 400 and 422. */
export function readOptional(
  singular: string,
  columns: Readonly<Record<string, Column>>,
  source: Source,
): PayloadValues['values'] {
  if (source.body == null && !Object.hasOwn(source.query as object, singular)) return {}
  const values: Record<string, SqlValue> = {}
  const errors: Record<string, string[]> = Object.create(null)
  for (const [name, input] of Object.entries(unwrap({ singular, payload: undefined }, source))) {
    try {
      const column = Object.hasOwn(columns, name) ? columns[name] : undefined
      if (!column) throw new WrongValue('is not accepted')
      values[name] = readValue(column, input)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      errors[shown(name)] = [error.message]
    }
  }
  refuseIfAny(errors)
  return values
}

function readValue({ kind, storing }: Column, input: unknown): SqlValue {
  if (input === null || input === undefined || (typeof input === 'string' && input.trim() === '')) return null
  const reader: Kind = storing?.kind ?? kind
  return reader.read(input)
}

function checkRule({ payload }: Resource, name: string, value: SqlValue, now: Date): SqlValue {
  const fault = value === null ? undefined : payload?.rules?.[name]?.(value, now)
  if (fault !== undefined) throw new WrongValue(fault)
  return value
}

function readElement(input: unknown): Readonly<Record<string, unknown>> {
  if (!isParams(input)) throw new WrongValue('must be an object')
  return input
}

/** A list of objects, or Rails' other form of one: an object with numbers for names. */
function readElements(input: unknown): readonly Record<string, unknown>[] {
  const list = Array.isArray(input) ? input : isParams(input) ? Object.values(input) : undefined
  if (!list?.every((element) => isParams(element))) throw new WrongValue('must be a list of objects')
  if (list.length > 1000) throw new WrongValue('holds more than 1000 elements')
  return list as readonly Record<string, unknown>[]
}

function readIds(input: unknown): readonly number[] {
  const list = Array.isArray(input) ? input : typeof input === 'string' ? input.split(',') : input === null ? [] : input
  if (!Array.isArray(list) || list.length > 1000) throw new WrongValue('must be a list of at most 1000 ids')
  return [...new Set(list.filter((id) => id !== '' && id !== null).map(readId))]
}

function readId(input: unknown): number {
  const id = typeof input === 'string' && /^\s*\d{1,10}\s*$/.test(input) ? Number(input) : input
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647) return id
  throw new WrongValue('must be a list of ids')
}

const MAX_SUGGESTIONS = 20

/** Says so, with the name that was probably meant. */
function notAccepted(name: string, { payload }: Resource, unknown: number): string {
  // Each takes a while to look for, and nobody reads that many.
  if (unknown > MAX_SUGGESTIONS) return 'is not accepted'
  const { accepts = [], extra = {}, nested = {}, pointed = {}, links = {} } = payload ?? {}
  const known = [...accepts, ...[extra, nested, pointed, links].flatMap((names) => Object.keys(names))]
  const near = nearest(name, known)
  return near === undefined ? 'is not accepted' : `is not accepted; did you mean ${near}?`
}

const shown = (name: string) => JSON.stringify(name.slice(0, 80)).slice(1, -1)
