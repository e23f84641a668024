import { defined } from '../../base/defined.ts'
import type { TextRow } from '../../database/text-query.ts'
import type { GatheredRows, Scope, Writer } from '../declare/fields/field.ts'
import { columnOf, quote } from '../declare/identifiers.ts'

/** Rows below a record, before it is known what is selected of them. */
export type Branch = {
  readonly alias: string
  readonly scope: Scope
  readonly selected: readonly string[]
  readonly joins: readonly string[]
  compile(): Writer
}

/** Rows below each other, such as replies. The statement returns a flat list, and the writer builds the tree. */
export class NestedLists {
  /** Lists in compilation. A row's representation contains the same list, which then has the children of the row. */
  readonly #open = new Map<GatheredRows, (parent: string) => string>()

  gather(rows: GatheredRows, table: string, scope: Scope, open: () => Branch): Writer {
    const id = scope.select(columnOf(scope.alias, 'id'))
    const whole = this.#open.get(rows)
    if (whole) return (row) => whole(defined(row[id]))

    const branch = open()
    const parent = branch.scope.select(columnOf(branch.alias, foreignKeyOf(rows)))
    let children: ReadonlyMap<string | null, TextRow[]> = new Map()
    const writeBelow = (above: string): string => `[${(children.get(above) ?? []).map((row) => write(row)).join(',')}]`
    this.#open.set(rows, writeBelow)
    const write = branch.compile()
    this.#open.delete(rows)

    const at = scope.select(statementOf(rows, table, scope.alias, branch))
    return (row) => {
      const value = row[at]
      if (value == null) return '[]'
      children = Map.groupBy<string | null, TextRow>(JSON.parse(value), (child) => child[parent] ?? null)
      return writeBelow(defined(row[id]))
    }
  }
}

function statementOf(rows: GatheredRows, table: string, above: string, { alias, selected, joins }: Branch): string {
  const foreignKey = quote(foreignKeyOf(rows))
  const texts = selected.map((sql) => `(${sql})::text`).join(', ')
  return `(with recursive below as (
      select id from ${quote(table)} where ${foreignKey} = ${above}.id
      union select n.id from ${quote(table)} n join below on n.${foreignKey} = below.id)
    select json_agg(array[${texts}] order by ${columnOf(alias, rows.order ?? 'id')}, ${alias}.id)
    from ${quote(table)} ${alias} ${joins.join(' ')} where ${alias}.id = any (array(select id from below)))::text`
}

function foreignKeyOf({ association }: GatheredRows): string {
  if (typeof association === 'string') return association
  throw new Error(`a list to any depth needs a column of its own, not ${association.table}`)
}
