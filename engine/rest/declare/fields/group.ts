import { isParams } from '../../../http/params.ts'
import { joinSql } from '../sql.ts'
import { objectSchema } from './computed.ts'
import { type Field, withMeaning } from './field.ts'
import { textKind } from './kinds.ts'
import { readColumns } from './read-columns.ts'

/** An object of fields of the record: `{ "upvote": 3, "downvote": 0 }`. */
export function group(members: Readonly<Record<string, Field>>): Field {
  const entries = Object.entries(members)
  const selected = entries.flatMap(([, { sql }]) => sql ?? [])
  return Object.freeze({
    hidden: false,
    ...(selected.length > 0 && { sql: joinSql(selected, ', ') }),
    readColumns: (value, record) =>
      isParams(value)
        ? Object.assign({}, ...entries.map(([name, field]) => readColumns(name, field, value[name], record)))
        : {},
    schema: (schemaOf) =>
      objectSchema(
        Object.fromEntries(
          entries.map(([name, { schema, description }]) => [name, withMeaning(schema(schemaOf), description)]),
        ),
      ),
    compile(scope) {
      const writers = entries.map(([name, field], index) => {
        const key = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
        return [key, field.compile(scope, name)] as const
      })
      return (row) => {
        let out = ''
        for (const [key, write] of writers) out += key + write(row)
        return `${out}}`
      }
    },
  } satisfies Field)
}

/** A group that clients write as one column under the group's name, as `content` of `{ "markdown": … }`. */
export const writtenAs = (field: Field, column: string): Field =>
  Object.freeze({ ...field, stored: { kind: textKind(), nullable: false, column } })

/** A constant, for clients that expect the field. */
export function always(value: false | readonly []): Field {
  const text = JSON.stringify(value)
  const schema = value === false ? { type: 'boolean', const: false } : { type: 'array', maxItems: 0 }
  return Object.freeze({
    description: `always ${value === false ? 'false' : 'empty'}, for clients that expect it`,
    hidden: false,
    schema: () => schema,
    compile: () => () => text,
  } satisfies Field)
}
