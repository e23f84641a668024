import { columnOf } from '../identifiers.ts'
import type { Field } from './field.ts'

/** The record has the field only where its column holds this word, as what there is of a film and of nothing else. */
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
