import { columnOf, type Field, type GatheredRows, orNull } from './field.ts'

type OneOptions = {
  /** The column that holds the other's id. */
  readonly by: string
  /** The column may be null; `absent` is then written. */
  readonly nullable?: boolean
  readonly absent?: 'null' | '{}'
  readonly hidden?: boolean
}

/** One other record, in the given representation of its resource. */
export function one(
  resource: string,
  representation: string,
  { by, nullable = false, absent = 'null', hidden = false }: OneOptions,
): Field {
  return Object.freeze({
    hidden,
    embeds: { resource, representation, by },
    schema: (schemaOf) => {
      const schema = schemaOf(resource, representation)
      if (!nullable) return schema
      return absent === 'null' ? orNull(schema) : { anyOf: [schema, { type: 'object', maxProperties: 0 }] }
    },
    compile(scope) {
      const key = columnOf(scope.alias, by)
      const { holder } = scope
      if (holder?.resource === resource && holder.by === by) return holder.write(representation)
      const at = scope.select(key)
      const cached = scope.embed.cached(resource, representation)
      const write = cached ? (row: readonly (string | null)[]) => cached(row[at] as string) : joined()
      return (row) => (row[at] == null ? absent : write(row))

      function joined() {
        return scope.embed.inline(resource, representation, scope.join(scope.embed.tableOf(resource), key))
      }
    },
  } satisfies Field)
}

/** A list of other records that belong to this one, by ascending id unless an order is given. */
export function many(
  resource: string,
  representation: string,
  rows: GatheredRows & { readonly hidden?: boolean },
): Field {
  return Object.freeze({
    hidden: rows.hidden ?? false,
    embeds: { resource, representation, rows },
    schema: (schemaOf) => ({ type: 'array', items: schemaOf(resource, representation) }),
    compile: (scope) => scope.embed.gather(resource, representation, scope, rows),
  } satisfies Field)
}

/** A field of another resource's row that the column `by` points at, shown as one of this record's own. */
export function borrowed(resource: string, by: string, field: Field): Field {
  return Object.freeze({
    hidden: field.hidden,
    schema: field.schema,
    compile(scope, name) {
      const key = columnOf(scope.alias, by)
      const cached = scope.embed.cachedField(resource, name, field)
      if (!cached) return field.compile(scope.join(scope.embed.tableOf(resource), key), name)
      const at = scope.select(key)
      return (row) => (row[at] == null ? 'null' : cached(row[at] as string))
    },
  } satisfies Field)
}

/** A field of the join table's row between this record and the parent in the path, as the end of a user's part in a cursus. */
export function fromJoinTable(field: Field): Field {
  return Object.freeze({
    hidden: true,
    ids: field.stored?.references === undefined ? undefined : { of: field.stored.references, isList: false },
    schema: field.schema,
    compile: (scope, name) => field.compile(scope.joinTable(), name),
  } satisfies Field)
}
