import type { Values } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { HttpError, unprocessable } from '../../errors.ts'
import type { Links, Nested, Resource, WriteAction } from '../declare/declaration.ts'
import { booleanKind, integerKind, type Kind, type SqlValue, WrongValue } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import { type ReadOptions, readPayload } from './read-payload.ts'
import type { Sent } from './unwrap.ts'

/** A payload checked against the declarations: a new record, or changes of one. */
export type Payload = {
  readonly resource: Resource
  /** Whether the payload has an `id`, as a client sends it that returns a record it has read. */
  readonly hasId: boolean
  readonly values: Values
  /** `<assoc>_attributes` of a record that this one will refer to. Written before it. */
  readonly pointed: readonly PointedPart[]
  /** `<assoc>_attributes` of records that refer to this one. Written after it. */
  readonly nested: readonly NestedPart[]
  /** `<name>_ids`. Written after it. */
  readonly links: readonly LinksPart[]
}

type PointedPart = { readonly name: string; readonly by: string; readonly payload: Parsed<Payload> }

export type NestedPart = Pick<Nested, 'by' | 'actions'> & {
  readonly name: string
  readonly resource: Resource
  /** Compared when they are written, since a row may depend on the elements before it. */
  readonly elements: readonly Parsed<Element>[]
}

export type LinksPart = { readonly name: string; readonly links: Links; readonly ids: readonly number[] }

/** A part of a payload, or its error, which is thrown when the part would be written. */
export type Parsed<T> = T | HttpError

export type Element = {
  readonly id: number | undefined
  readonly holder: number | undefined
} & ({ readonly isRemoval: true } | ElementPayloads)

/** Payloads of the element as a new or an existing record. Undefined for an impossible case. */
type ElementPayloads = {
  readonly isRemoval: false
  readonly asNew: Parsed<Payload> | undefined
  readonly asChange: Parsed<Payload> | undefined
}

type CommonOptions = Pick<ReadOptions, 'now' | 'wire'>

/** Reads a payload with its parts. Throws 422 with all errors of its own values. */
export function parsePayload(registry: Registry, resource: Resource, sent: Sent, options: ReadOptions): Payload {
  const declared: Partial<NonNullable<Resource['payload']>> = resource.payload ?? {}
  const { hasId, values, pointed, nested, links } = readPayload(resource, sent, options)
  const common = { now: options.now, wire: options.wire }
  return {
    resource,
    hasId,
    values,
    pointed: [...pointed].map(([name, part]) => {
      const { resource: other, by } = defined(declared.pointed?.[name])
      const parse = () => parsePayload(registry, registry.get(other), part, { creating: true, ...common })
      return { name, by, payload: attempt(parse) }
    }),
    nested: [...nested].map(([name, sentElements]) => {
      const { resource: other, by, actions } = defined(declared.nested?.[name])
      const target = registry.get(other)
      return {
        name,
        by,
        actions,
        resource: target,
        elements: parseElements(registry, target, by, sentElements, common),
      }
    }),
    links: [...links].map(([name, ids]) => ({ name, links: defined(declared.links?.[name]), ids })),
  }
}

export const hasParts = ({ pointed, nested, links }: Payload): boolean =>
  pointed.length + nested.length + links.length > 0

/** Reports whether nothing follows the row of the record. */
export const isSingleRow = (payload: Payload, finish: WriteAction['finish']): boolean =>
  !hasParts(payload) && !finish && !payload.resource.payload?.validateAfter

/** Stops at the first refused element, since the elements after it will not be written. */
function parseElements(
  registry: Registry,
  resource: Resource,
  by: string,
  elements: readonly Sent[],
  common: CommonOptions,
): Parsed<Element>[] {
  const parsed: Parsed<Element>[] = []
  for (const element of elements) {
    parsed.push(attempt(() => parseElement(registry, resource, by, element, common)))
    if (isRefused(parsed.at(-1))) break
  }
  return parsed
}

/** Without an id the element is new. With an id and `_destroy` it is removed, else changed. Throws 422. */
function parseElement(registry: Registry, resource: Resource, by: string, sent: Sent, common: CommonOptions): Element {
  // The element belongs to the surrounding record, whatever it claims, so that none moves to another.
  const { id: givenId, _destroy: destroy, [by]: givenHolder, ...rest } = sent
  const holder = readIfSent(by, integerKind, givenHolder)
  const id = readIfSent('id', integerKind, givenId)
  if (readIfSent('_destroy', booleanKind, destroy) === true) return { id, holder, isRemoval: true }
  const mayBeNew = id === undefined || isNamedByOther(resource)
  const ofNew = id === undefined ? rest : { ...rest, id: givenId }
  return {
    id,
    holder,
    isRemoval: false,
    asNew: mayBeNew
      ? attempt(() => parsePayload(registry, resource, ofNew, { creating: true, by, ...common }))
      : undefined,
    asChange:
      id === undefined
        ? undefined
        : attempt(() => parsePayload(registry, resource, rest, { creating: false, ...common })),
  }
}

/** Another record, such as a skill, names such elements. Clients need not know whether the element exists. */
export const isNamedByOther = (resource: Resource) => keyColumn(resource) !== 'id'

export const keyColumn = (resource: Resource) => resource.stored('id')?.column ?? 'id'

function isRefused(element: Parsed<Element> | undefined): boolean {
  if (element === undefined || element instanceof HttpError) return element !== undefined
  if (element.isRemoval) return false
  return [element.asNew, element.asChange].every((payload) => payload === undefined || isRefusedWithin(payload))
}

const isRefusedWithin = (payload: Parsed<Payload>): boolean =>
  payload instanceof HttpError || payload.nested.some(({ elements }) => isRefused(elements.at(-1)))

export function attempt<T>(parse: () => T): Parsed<T> {
  try {
    return parse()
  } catch (error) {
    return refusalIn(error)
  }
}

/** Returns an error that refuses a request. Rethrows any other error. */
export function refusalIn(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  throw error
}

export function orThrow<T>(parsed: Parsed<T>): T {
  if (parsed instanceof HttpError) throw parsed
  return parsed
}

/** Reads a value that is not blank. Throws 422. */
export function readIfSent<T extends SqlValue>(name: string, kind: Kind<T>, input: unknown): T | undefined {
  if (input == null || input === '') return undefined
  try {
    return kind.read(input)
  } catch (error) {
    throw error instanceof WrongValue ? unprocessable({ [name]: [error.text] }) : error
  }
}
