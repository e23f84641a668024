import type { Values } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import { literal } from '../../database/literal.ts'
import type { ExtraParameter, Resource } from '../declare/declaration.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import { quote } from '../declare/identifiers.ts'
import { hasParts, type Payload } from '../write/parse.ts'
import { columnsOf } from '../write/rows.ts'

type Wanted = { readonly id: number; readonly payload: Payload }

/** Returns the records that would not change, if their columns can be compared. */
export async function unchangedAmong(
  tx: Handle,
  resource: Resource,
  records: readonly Wanted[],
): Promise<ReadonlySet<number>> {
  const rows = records
    .filter(({ payload }) => isOfColumns(resource, payload))
    .map(({ id, payload }) => ({
      columns: { ...columnsOf(resource, payload.values), id },
      extra: { ...extraOf(resource, payload.values), id },
    }))
  const unchanged = new Set<number>()
  for (const alike of Map.groupBy(rows, ({ columns, extra }) => `${namesOf(columns)} / ${namesOf(extra)}`).values()) {
    const names = Object.keys(alike[0]?.columns ?? {})
    const rowOf = (alias: string) => `(${names.map((name) => `${alias}.${quote(name)}`).join(', ')})`
    const holding = Object.keys(alike[0]?.extra ?? {}).flatMap((name) => {
      const { kind, rowEquals } = resource.payload?.extra?.[name] ?? {}
      return rowEquals && kind ? [` and ${rowEquals('t', `(extra.sent ->> ${literal(name)})::${kind.sqlType}`)}`] : []
    })
    const same = await tx.rows(
      `select t.id from json_populate_recordset(null::${quote(resource.table)}, $1::json) wanted
       join ${quote(resource.table)} t on t.id = wanted.id
       join (select sent, (sent ->> 'id')::integer as id from json_array_elements($2::json) sent) extra on extra.id = t.id
       where ${rowOf('t')} is not distinct from ${rowOf('wanted')}${holding.join('')}`,
      [JSON.stringify(alike.map(({ columns }) => columns)), JSON.stringify(alike.map(({ extra }) => extra))],
    )
    for (const [id] of same) unchanged.add(Number(id))
  }
  return unchanged
}

const namesOf = (values: Values) => Object.keys(values).toSorted().join(' ')

const extraOf = ({ payload }: Resource, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== null && payload?.extra?.[name] && !payload.extra[name].ignored,
    ),
  )

const isComparable = (extra: ExtraParameter | undefined, value: SqlValue | undefined) =>
  extra === undefined || extra.ignored === true || extra.rowEquals !== undefined || value === null

/** Reports whether columns hold the whole payload. The write compares everything else. */
function isOfColumns({ payload: declared, stored }: Resource, payload: Payload): boolean {
  const { extra = {}, triggersOn = [] } = declared ?? {}
  const { values } = payload
  if (hasParts(payload)) return false
  return Object.keys(values).every(
    (name) => isComparable(extra[name], values[name]) && !triggersOn.includes(name) && !stored(name)?.storing,
  )
}
