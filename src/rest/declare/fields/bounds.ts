import { integerKind, type Kind, MAX_INTEGER, WrongValue } from './kinds.ts'

export type Bounds = {
  readonly min?: number | undefined
  /** The largest that a column of integers holds, unless said. */
  readonly max?: number | undefined
  /** Nothing but these. */
  readonly oneOf?: readonly number[] | undefined
  /** What it counts, for messages. */
  readonly unit?: string | undefined
}

/** Numbers within bounds. A filter may ask for others, and finds nothing. */
export function bounded(kind: Kind<number>, bounds: Bounds): Kind<number> {
  const { min = -MAX_INTEGER, max = MAX_INTEGER, oneOf } = bounds
  const rule = ruleOf(bounds)
  if (rule === undefined) return kind
  const holds = oneOf ? (value: number) => oneOf.includes(value) : (value: number) => value >= min && value <= max
  return {
    ...kind,
    schema: { ...kind.schema, ...(oneOf ? { enum: oneOf } : { minimum: min, maximum: max }) },
    readAsked: kind.readAsked ?? kind.read,
    read(input) {
      const value = kind.read(input)
      if (!holds(value)) throw new WrongValue(`must be ${rule}`)
      return value
    },
  }
}

function ruleOf({ min, max, oneOf, unit }: Bounds): string | undefined {
  const ofUnit = unit === undefined ? '' : ` ${unit}`
  if (oneOf) return `${oneOf.slice(0, -1).join(', ')} or ${oneOf.at(-1)}${ofUnit}`
  if (max !== undefined) return `from ${min ?? -MAX_INTEGER} to ${max}${ofUnit}`
  if (min === undefined) return undefined
  return min === 0 ? `0 or more${ofUnit}` : `at least ${min}${ofUnit}`
}

/** The id of a record. */
export const idKind: Kind<number> = bounded(integerKind, { min: 1 })
