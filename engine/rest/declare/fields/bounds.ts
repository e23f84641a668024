import type { MessageKey } from '../../../base/languages/dictionary.ts'
import { type FilledMessage, message } from '../../../base/languages/say.ts'
import { integerKind, type Kind, MAX_INTEGER, WrongValue } from './kinds.ts'

export type Bounds = {
  readonly min?: number | undefined
  /** Defaults to the largest integer of a column. */
  readonly max?: number | undefined
  /** The only values allowed. */
  readonly oneOf?: readonly number[] | undefined
  readonly unit?: MessageKey | undefined
}

/** Restricts a kind to bounds. A filter may ask for values beyond them, and finds nothing. */
export function bounded(kind: Kind<number>, bounds: Bounds = {}): Kind<number> {
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

function ruleOf(bounds: Bounds): FilledMessage | undefined {
  const rule = boundsRule(bounds)
  return rule && bounds.unit !== undefined ? message('{rule} {unit}', { rule, unit: message(bounds.unit) }) : rule
}

function boundsRule({ min, max, oneOf }: Bounds): FilledMessage | undefined {
  if (oneOf)
    return message('must be {others} or {last}', { others: oneOf.slice(0, -1).join(', '), last: oneOf.at(-1) ?? '' })
  if (max !== undefined) return message('must be from {least} to {most}', { least: min ?? -MAX_INTEGER, most: max })
  if (min === undefined) return undefined
  return min === 0 ? message('must be 0 or more') : message('must be at least {least}', { least: min })
}

export const idKind: Kind<number> = bounded(integerKind, { min: 1 })
