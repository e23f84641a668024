import { type JoinTable, type ThroughOne, throughFrom } from '../association.ts'
import { columnOf } from '../identifiers.ts'
import { type Field, type GatheredRows, orNull, type Place } from './field.ts'

type OneOptions = {
  /** Column that refers to the record. Defaults to the field's name with `_id`. */
  readonly by?: string
  /** Resource that the column refers to, if it shares a table with the shown one. */
  readonly refersTo?: string
  /** JSON for a null column. */
  readonly absent?: 'null' | '{}'
  /** Reads the record in a separate statement for the page, since many records show it. */
  readonly deferred?: boolean
  /** Reads the record from memory. Only for small tables that no request changes together with this one. */
  readonly fromMemory?: boolean
}

/** Embeds the record that a column refers to. */
export const one = (
  resource: string,
  representation: string,
  { by: column, refersTo = resource, absent = 'null', deferred, fromMemory }: OneOptions = {},
): Field =>
  onceWithin((name, place) => {
    const by = column ?? `${name}_id`
    const isNullable = isNullableReference(refersTo, by, name, place)
    return Object.freeze({
      hidden: false,
      embeds: { resource, representation, by },
      schema: (schemaOf) => {
        const schema = schemaOf(resource, representation)
        if (!isNullable) return schema
        return absent === 'null' ? orNull(schema) : { anyOf: [schema, { type: 'object', maxProperties: 0 }] }
      },
      compile(scope) {
        const key = columnOf(scope.alias, by)
        const { holder, embed } = scope
        if (holder?.resource === resource && holder.by === by) return holder.write(representation)
        const at = scope.select(key)
        const nullText = isNullable ? absent : 'null'
        const textOf =
          embed.cached(resource, representation, fromMemory) ??
          (deferred ? embed.deferred(resource, representation) : undefined)
        if (textOf) return (row) => (row[at] == null ? nullText : textOf(row[at]))
        const write = embed.inline(resource, representation, scope.join(embed.tableOf(resource), key))
        return (row) => (row[at] == null ? nullText : write(row))
      },
    } satisfies Field)
  })

function isNullableReference(resource: string, by: string, name: string, { resource: own, fields }: Place): boolean {
  const reference = fields[by]?.stored
  if (reference?.references === resource) return reference.nullable
  throw new Error(`${own}.${name} shows one of ${resource}, but no column ${by} of ${own} refers to ${resource}`)
}

type ManyOptions<R extends string> = Omit<GatheredRows, 'association'> & {
  /** Column of the other records that refers to this one. Defaults to `<singular>_id`. */
  readonly foreignKey?: string
  /** Join table, or the path from the others to this record. */
  readonly through?: JoinTable<R> | ThroughOne
}

/** Embeds a list of records that belong to this one, by ascending id unless `order` is set. */
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

/** The one of these fields that is not null. At most one of them may be set. */
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

/** The only record of a list that has at most one, or null. */
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

/** Returns a placeholder. `within` returns the actual field when its name and resource are known. */
export const onceWithin = (within: NonNullable<Field['within']>): Field =>
  Object.freeze({ hidden: false, within, schema: refuse, compile: refuse } satisfies Field)

function refuse(): never {
  throw new Error('what shows other records must be a field of a resource')
}

type Beyond = { readonly by: string; readonly table: string; readonly onBy: string }

/** The record two references away: the column `by` refers to a row of `table`, and its column `onBy` to the record. */
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

/** Shows a field of the record that the column `by` refers to as a field of this record. */
export function borrowed(
  resource: string,
  by: string,
  field: Field,
  { fromMemory }: Pick<OneOptions, 'fromMemory'> = {},
): Field {
  return Object.freeze({
    description: field.description,
    hidden: field.hidden,
    // Omits the path, which begins at the other record.
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

/** Shows a field of the join table's row between this record and its parent in the path, such as the end of a loan. */
export function fromJoinTable(field: Field): Field {
  return Object.freeze({
    description: field.description,
    hidden: true,
    ids: field.stored?.references === undefined ? undefined : { of: field.stored.references, isList: false },
    schema: field.schema,
    compile: (scope, name) => field.compile(scope.joinTable(), name),
  } satisfies Field)
}
