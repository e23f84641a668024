import { columnOf } from '../identifiers.ts'
import type { Field } from './field.ts'

/** Shows the field only if a column holds a word, such as the fields of a film. */
export const shownWhere = (column: string, word: string, field: Field): Field =>
  Object.freeze({
    ...field,
    mayBeLeftOut: true,
    compile(scope, name) {
      const at = scope.select(columnOf(scope.alias, column))
      const write = field.compile(scope, name)
      return (row) => (row[at] === word ? write(row) : '')
    },
  } satisfies Field)
