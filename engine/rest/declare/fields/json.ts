import { columnOf } from '../identifiers.ts'
import { type Field, orNull } from './field.ts'
import type { JsonSchema } from './kinds.ts'

export const json = (
  schema: JsonSchema,
  { nullable = false, hidden = false }: { nullable?: boolean; hidden?: boolean } = {},
): Field =>
  Object.freeze({
    hidden,
    schema: () => (nullable ? orNull(schema) : schema),
    compile(scope, name) {
      const at = scope.select(`${columnOf(scope.alias, name)}::text`)
      return (row) => row[at] ?? 'null'
    },
  } satisfies Field)
