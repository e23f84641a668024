import { type Guard, hiddenSql } from '../guard.ts'
import { sql } from '../sql.ts'
import { onceWithin } from './embeds.ts'
import { type Field, orNull } from './field.ts'
import { selectSql } from './select-sql.ts'

/** Shows `"invisible"` if the guard hides the field (spec: access 10). */
export function guarded<F extends Field>(guard: Guard, field: F): F
export function guarded(guard: Guard, field: Field): Field {
  if (field.within) return within(field.within, (shown) => guarded(guard, shown))
  return Object.freeze({
    ...field,
    guard,
    schema: (schemaOf) => ({ anyOf: [field.schema(schemaOf), { type: 'string', const: 'invisible' }] }),
    compile: whereShown(guard, field, '"invisible"'),
  } satisfies Field)
}

export function leftOut<F extends Field>(guard: Guard, field: F): F
export function leftOut(guard: Guard, field: Field): Field {
  if (field.within) return within(field.within, (shown) => leftOut(guard, shown))
  return Object.freeze({ ...field, guard, mayBeLeftOut: true, compile: whereShown(guard, field, '') } satisfies Field)
}

export function nullWhereHidden<F extends Field>(guard: Guard, field: F): F {
  const schema: Field['schema'] = (schemaOf) => orNull(field.schema(schemaOf))
  return Object.freeze({ ...field, guard, schema, compile: whereShown(guard, field, 'null') })
}

/** Shows another field, or JSON that the schema allows, if the guard hides the field. */
export function replacedWhereHidden<F extends Field>(guard: Guard, field: F, otherwise: Field | string): F {
  return Object.freeze({ ...field, guard, compile: whereShown(guard, field, otherwise) })
}

const within = (place: NonNullable<Field['within']>, guard: (field: Field) => Field) =>
  onceWithin((name, at) => guard(place(name, at)))

const whereShown =
  (guard: Guard, field: Field, instead: string | Field): Field['compile'] =>
  (scope, name) => {
    scope.guard()
    const at = selectSql(scope, sql`case when ${hiddenSql(guard)} then 1 end`)
    const write = field.compile(scope, name)
    const writeInstead = typeof instead === 'string' ? () => instead : instead.compile(scope, name)
    return (row) => (row[at] == null ? write(row) : writeInstead(row))
  }
