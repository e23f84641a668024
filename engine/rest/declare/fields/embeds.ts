import { defined } from '../../../base/defined.ts'
import { type JoinTable, type ThroughOne, throughFrom } from '../association.ts'
import { columnOf } from '../identifiers.ts'
import { type Embeds, type Field, type GatheredRows, orNull, type Place } from './field.ts'

type OneOptions = {
  /** The column that refers to the other; the field's name with `_id` unless said. */
  readonly by?: string
  /** The resource to which the column refers, where the other is shown as another of the same table. */
  readonly refersTo?: string
  /** What is written where the column is null. */
  readonly absent?: 'null' | '{}'
  /** A page asks for it in a statement of its own, for what many of its records show. */
  readonly deferred?: boolean
  /** Shown from memory: a record of a small table, which is never changed in one request with this one. */
  readonly fromMemory?: boolean
}

/** The other record to which a column refers, in the given representation of its resource. */
export const one = (
  resource: string,
  representation: string,
  { by, refersTo = resource, absent = 'null', ...reading }: OneOptions = {},
): Field =>
  onceWithin((name, place) => {
    const column = by ?? `${name}_id`
    const isNullable = isNullableReference(refersTo, column, name, place)
    return oneBy({ resource, representation, by: column }, isNullable ? absent : undefined, reading)
  })

function isNullableReference(resource: string, by: string, name: string, { resource: own, fields }: Place): boolean {
  const reference = fields[by]?.stored
  if (reference?.references === resource) return reference.nullable
  throw new Error(`${own}.${name} shows one of ${resource}, but no column ${by} of ${own} refers to ${resource}`)
}

/** `absent` is written for null, where the column may be that. */
function oneBy(
  embeds: Embeds & { readonly by: string },
  absent: OneOptions['absent'],
  { deferred, fromMemory }: Pick<OneOptions, 'deferred' | 'fromMemory'>,
): Field {
  const { resource, representation, by } = embeds
  return Object.freeze({
    hidden: false,
    embeds,
    schema: (schemaOf) => {
      const schema = schemaOf(resource, representation)
      if (!absent) return schema
      return absent === 'null' ? orNull(schema) : { anyOf: [schema, { type: 'object', maxProperties: 0 }] }
    },
    compile(scope) {
      const key = columnOf(scope.alias, by)
      const { holder } = scope
      if (holder?.resource === resource && holder.by === by) return holder.write(representation)
      const at = scope.select(key)
      const textOf =
        scope.embed.cached(resource, representation, fromMemory) ??
        (deferred ? scope.embed.deferred(resource, representation) : undefined)
      const write = textOf ? (row: readonly (string | null)[]) => textOf(defined(row[at])) : joined()
      return (row) => (row[at] == null ? (absent ?? 'null') : write(row))

      function joined() {
        return scope.embed.inline(resource, representation, scope.join(scope.embed.tableOf(resource), key))
      }
    },
  } satisfies Field)
}

type ManyOptions<R extends string> = Omit<GatheredRows, 'association'> & {
  /** The column of the others that holds this record's id: `<singular>_id` unless said. */
  readonly foreignKey?: string
  /** The table that joins both, or the one on the way from the others to this record. */
  readonly through?: JoinTable<R> | ThroughOne
}

/** A list of other records that belong to this one, by ascending id unless an order is given. */
export const many = <R extends string>(
  resource: R,
  representation: string,
  { foreignKey, through: joined, ...rows }: ManyOptions<NoInfer<R>> = {},
): Field =>
  onceWithin((_, { singular }) => {
    const way = joined && ('keys' in joined ? throughFrom(joined, resource) : joined)
    const gathered = { ...rows, association: way ?? foreignKey ?? `${singular}_id` }
    return Object.freeze({
      hidden: false,
      embeds: { resource, representation, rows: gathered },
      schema: (schemaOf) => ({ type: 'array', items: schemaOf(resource, representation) }),
      compile: (scope) => scope.embed.gather(resource, representation, scope, gathered),
    } satisfies Field)
  })

/** The first of several records of which one at most is there, as of what a record may be about; null where none is. */
export const firstOf = (...fields: readonly Field[]): Field =>
  onceWithin((name, place) => {
    const shown = fields.map((field) => field.within?.(name, place) ?? field)
    return Object.freeze({
      hidden: false,
      schema: (schemaOf) => ({ anyOf: shown.map((field) => field.schema(schemaOf)) }),
      compile(scope) {
        const writers = shown.map((field) => field.compile(scope, name))
        return (row) => {
          for (const write of writers) {
            const text = write(row)
            if (text !== 'null') return text
          }
          return 'null'
        }
      },
    } satisfies Field)
  })

/** The only record of a list that holds one at most; null where it holds none. */
export const only = (list: Field): Field =>
  onceWithin((name, place) => {
    const shown = list.within?.(name, place) ?? list
    return Object.freeze({
      hidden: false,
      schema: (schemaOf) => orNull(shown.schema(schemaOf)),
      compile(scope) {
        const write = shown.compile(scope, name)
        return (row) => {
          const text = write(row)
          return text === '[]' ? 'null' : text.slice(1, -1)
        }
      },
    } satisfies Field)
  })

/** A field of which all else follows from where it stands. */
export const onceWithin = (within: NonNullable<Field['within']>): Field =>
  Object.freeze({ hidden: false, within, schema: refuse, compile: refuse } satisfies Field)

function refuse(): never {
  throw new Error('what shows other records must be a field of a resource')
}

type Beyond = { readonly by: string; readonly table: string; readonly onBy: string }

/** The record to which the column `onBy` of a row refers to which the column `by` of this one does; null where there is none. */
export const oneBeyond = (resource: string, representation: string, { by, table, onBy }: Beyond): Field =>
  Object.freeze({
    hidden: false,
    schema: (schemaOf) => orNull(schemaOf(resource, representation)),
    compile(scope) {
      const between = scope.join(table, columnOf(scope.alias, by))
      const key = columnOf(between.alias, onBy)
      const at = scope.select(key)
      const write = scope.embed.inline(resource, representation, between.join(scope.embed.tableOf(resource), key))
      return (row) => (row[at] == null ? 'null' : write(row))
    },
  } satisfies Field)

/** A field of another resource's row that the column `by` points at, shown as one of this record's own. */
export function borrowed(
  resource: string,
  by: string,
  field: Field,
  { fromMemory }: Pick<OneOptions, 'fromMemory'> = {},
): Field {
  return Object.freeze({
    description: field.description,
    hidden: field.hidden,
    // They are associated with the other row, not with this one.
    ids: field.ids && { of: field.ids.of, isList: field.ids.isList },
    schema: field.schema,
    compile(scope, name) {
      const key = columnOf(scope.alias, by)
      const cached = scope.embed.cachedField(resource, name, field, fromMemory)
      if (!cached) return field.compile(scope.join(scope.embed.tableOf(resource), key), name)
      const at = scope.select(key)
      return (row) => (row[at] == null ? 'null' : cached(row[at]))
    },
  } satisfies Field)
}

/** A field of the join table's row between this record and the parent in the path, as the end of a reader's loan of a book. */
export function fromJoinTable(field: Field): Field {
  return Object.freeze({
    description: field.description,
    hidden: true,
    ids: field.stored?.references === undefined ? undefined : { of: field.stored.references, isList: false },
    schema: field.schema,
    compile: (scope, name) => field.compile(scope.joinTable(), name),
  } satisfies Field)
}
