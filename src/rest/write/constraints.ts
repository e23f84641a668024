import { type HttpError, unprocessable } from '../../errors.ts'
import { WrongValue } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'

type DatabaseError = {
  readonly code?: string
  readonly table?: string
  readonly constraint?: string
  readonly column?: string
  readonly detail?: string
}

/** What went wrong in a write, in the client's terms (422) where it is the client's matter. */
export function asHttpError(error: unknown, registry: Registry): unknown {
  if (error instanceof WrongValue) return unprocessable({ base: [error.message] })
  return explainConstraint(error, registry) ?? error
}

/** What the database's refusal of a write means, or undefined when it is no such refusal. */
function explainConstraint(error: unknown, registry: Registry): HttpError | undefined {
  const { code, table, constraint = '', column = 'base', detail = '' } = error as DatabaseError
  // `Key (campus_id, host)=(…)`, or `Key (lower(email))=(…)`: the last name is the one that the rule is about.
  const key = /^Key \((.*?)\)=\(/.exec(detail)?.[1] ?? ''
  const field = key.match(/\w+/g)?.at(-1) ?? column
  const declared = registry.resources.find(
    ({ table: name, payload }) => name === table && payload?.checks?.[constraint],
  )
  const check = declared?.payload?.checks?.[constraint]
  switch (code) {
    case '23505': {
      const [name, text] = check ?? [field, 'has already been taken']
      return unprocessable({ [name]: [text] })
    }
    case '23503': {
      const [name, text] = check ?? [field, 'must exist']
      return / still referenced from table "(\w+)"/.test(detail)
        ? unprocessable({ base: [`is still used by ${/table "(\w+)"/.exec(detail)?.[1]}`] })
        : unprocessable({ [name]: [text] })
    }
    case '23502':
      return unprocessable({ [column]: ["can't be blank"] })
    case '23514': {
      const [name, text] = check ?? ['base', `breaks the rule ${constraint}`]
      return unprocessable({ [name]: [text] })
    }
    case '22003':
    case '22008':
      return unprocessable({ base: ['a value is out of range'] })
    default:
      return undefined
  }
}

/** Whether a row cannot be deleted since others point at it. */
export const isStillReferenced = (error: unknown): boolean =>
  (error as DatabaseError).code === '23503' && / still referenced /.test((error as DatabaseError).detail ?? '')

/** Whether a row points at one that does not exist. */
export const isMissingReference = (error: unknown): boolean =>
  (error as DatabaseError).code === '23503' && !/ still referenced /.test((error as DatabaseError).detail ?? '')
