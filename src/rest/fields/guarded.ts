import type { Access } from '../access.ts'
import { type Field, orNull } from './field.ts'

/**
 * A field that only those see who have an access of its own, wherever the record stands: on its own page, embedded in
 * others, included. For everybody else it is null.
 */
export const guarded = <F extends Field>(access: Access, field: F): F =>
  Object.freeze({
    ...field,
    schema: (schemaOf) => orNull(field.schema(schemaOf)),
    compile: (scope, name) => (scope.isDenied(access) ? () => 'null' : field.compile(scope, name)),
  } satisfies Field) as F

/** The same, where they see another field in its place. */
export const guardedBy = (access: Access, field: Field, otherwise: Field): Field =>
  Object.freeze({
    ...field,
    compile: (scope, name) => (scope.isDenied(access) ? otherwise : field).compile(scope, name),
  } satisfies Field)
