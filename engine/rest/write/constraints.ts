import { codeOf, toError } from '../../base/caught.ts'
import { type Message, message } from '../../base/languages/say.ts'
import { type HttpError, unprocessable } from '../../errors.ts'
import { WrongValue } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'

type DatabaseError = Error & {
  readonly code?: string
  readonly table?: string
  readonly constraint?: string
  readonly column?: string
  /** Set by `database/connection.ts`. */
  readonly statement?: string
}

/** Converts an error that the client caused to a 422. Returns any other error unchanged. */
export function asHttpError(error: unknown, registry: Registry): unknown {
  if (error instanceof WrongValue) return unprocessable({ base: [error.text] })
  return explainConstraint(error, registry) ?? error
}

function explainConstraint(error: unknown, registry: Registry): HttpError | undefined {
  const { code, table = '', constraint = '', column = 'base' }: DatabaseError = toError(error)
  const field = registry.columnOf(table, constraint) ?? column
  const declared = registry.resources.find(
    ({ table: name, payload }) => name === table && payload?.checks?.[constraint],
  )
  const check = declared?.payload?.checks?.[constraint]
  const refused = (name: string, text: Message) =>
    check ? unprocessable({ [check[0]]: [check[1]] }) : unprocessable({ [name]: [text] })
  switch (code) {
    case '23505':
      return refused(field, 'has already been taken')
    case '23503':
      if (isMissingReference(error)) return refused(field, 'must exist')
      return unprocessable({ base: [message('is still used by {what}', { what: table })] })
    case '23502':
      return unprocessable({ [column]: ["can't be blank"] })
    case '23514':
      return refused('base', message('breaks the rule {constraint}', { constraint }))
    case '22003':
    case '22008':
      return unprocessable({ base: ['a value is out of range'] })
    default:
      return undefined
  }
}

export const isStillReferenced = (error: unknown): boolean => codeOf(error) === '23503' && !isMissingReference(error)

/**
 * Reports whether a row refers to a missing one. PostgreSQL says only in a translated text which side was written, but
 * `table` is always the referring one, and the statement shows whether it was written.
 */
export function isMissingReference(error: unknown): boolean {
  const { code, table = '', statement = '' }: DatabaseError = toError(error)
  return code === '23503' && new RegExp(`\\b(insert into|update) (only )?"?${table}"?(?!\\w)`, 'i').test(statement)
}
