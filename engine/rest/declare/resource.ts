import type { FoundAssociation } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import { type Association, type JoinTable, through } from './association.ts'
import { checkDeclaration } from './check-declaration.ts'
import { completeDeclaration, namesOf } from './complete-declaration.ts'
import type { Declaration, Declared, DeclaredParent, NestedAction, Parent, Payload, Resource } from './declaration.ts'
import type { Field } from './fields/field.ts'

/**
 * Declares a resource. The compiler checks the names in its lists. This function checks its rules, and the start its
 * associations with other tables.
 */
export function resource<const F extends Record<string, Field>, const P extends Payload<F> = Payload<F>>(
  declaration: Declaration<F, P>,
): Resource
// The overload types the values that actions receive. The engine itself passes untyped values.
export function resource(declaration: Declared): Resource {
  const complete = completeDeclaration(declaration)
  const { fields } = complete
  const visible = Object.keys(fields).filter((name) => !fields[name]?.hidden)
  const shapes: NonNullable<Resource['representations']> = { record: { except: [] }, ...declaration.representations }
  const fieldsOf = new Map(
    Object.entries(shapes).map(([representation, shape]) => {
      const names = namesOf(`${declaration.name}.representations.${representation}`, shape, visible, fields)
      return [representation, names.map((name) => [name, defined(fields[name])] as const)]
    }),
  )
  const { instead, adds, embedded, besides } = complete.webhook ?? {}
  if (instead) fieldsOf.set('webhook', Object.entries(instead))
  if (adds) fieldsOf.set('webhook', [...defined(fieldsOf.get('record')), ...Object.entries(adds)])
  if (complete.wrapped && !fieldsOf.has('webhook')) fieldsOf.set('webhook', defined(fieldsOf.get('record')))
  if (embedded)
    fieldsOf.set('in_webhook', [...(besides ? defined(fieldsOf.get(besides)) : []), ...Object.entries(embedded)])
  const { record: called } = complete.calls ?? {}
  if (called) fieldsOf.set('webservice', Object.entries(called))
  const ready: Resource = Object.freeze({
    ...complete,
    table: declaration.table ?? declaration.name,
    wrapped: declaration.wrapped ?? false,
    cachedInMemory: declaration.cachedInMemory ?? false,
    representationFields(representation: string) {
      const named = fieldsOf.get(representation)
      if (!named) throw new Error(`${declaration.name} has no representation called ${representation}`)
      return named
    },
    stored(name: string) {
      const column = fields[name]?.stored
      return column && { ...column, column: column.column ?? name }
    },
  })
  checkDeclaration(ready)
  return ready
}

type ParentOptions<R extends string> = Omit<Parent, 'chain' | 'actions'> & {
  readonly actions?: readonly NestedAction[]
  /** Association with the parent. Required if several columns refer to it. */
  readonly by?: Association | FoundAssociation
  readonly through?: JoinTable<R>
}

export const under = <R extends string>(
  resource: R,
  { actions = ['index'], by, through: joined, ...rest }: ParentOptions<NoInfer<R>> = {},
): DeclaredParent => ({ chain: [{ resource, association: associationOf(resource, by, joined) }], actions, ...rest })

function associationOf<R extends string>(
  resource: R,
  by: Association | FoundAssociation | undefined,
  joined: JoinTable<R> | undefined,
): Association | FoundAssociation | undefined {
  if (!joined) return by
  if (by !== undefined && typeof by !== 'string') throw new Error(`${joined.table} is joined by a column`)
  return through(joined, resource, by === undefined ? {} : { by })
}

/** Declares routes below two records: `/v2/shelves/:shelf_id/authors/:author_id/books`. */
export const underBoth = (
  outer: DeclaredParent,
  inner: DeclaredParent,
  { actions = ['index'] }: { readonly actions?: readonly NestedAction[] } = {},
): DeclaredParent => ({ chain: [...outer.chain, ...inner.chain], actions })
