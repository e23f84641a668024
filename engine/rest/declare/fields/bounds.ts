import type { MessageKey } from '../../../base/languages/dictionary.ts'
import { type FilledMessage, message } from '../../../base/languages/say.ts'
import { integerKind, type Kind, MAX_INTEGER, WrongValue } from './kinds.ts'

export type Bounds = {
  readonly min?: number | undefined
  /** The largest that a column of integers holds, unless said. */
  readonly max?: number | undefined
  /** Nothing but these. */
  readonly oneOf?: readonly number[] | undefined
  /** What it counts, for messages. */
  readonly unit?: MessageKey | undefined
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
      if (!holds(value)) throw new WrongValue(rule)
      return value
    },
  }
}

function ruleOf({ min, max, oneOf, unit }: Bounds): FilledMessage | undefined {
  const rule = boundsOf({ min, max, oneOf })
  return rule && unit !== undefined ? message('{rule} {unit}', { rule, unit: message(unit) }) : rule
}

function boundsOf({ min, max, oneOf }: Bounds): FilledMessage | undefined {
  if (oneOf)
    return message('must be {others} or {last}', { others: oneOf.slice(0, -1).join(', '), last: oneOf.at(-1) ?? '' })
  if (max !== undefined) return message('must be from {least} to {most}', { least: min ?? -MAX_INTEGER, most: max })
  if (min === undefined) return undefined
  return min === 0 ? message('must be 0 or more') : message('must be at least {least}', { least: min })
}

/** The id of a record. */
export const idKind: Kind<number> = bounded(integerKind, { min: 1 })
