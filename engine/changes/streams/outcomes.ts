import type { Condition } from '../../rest/condition.ts'
import { runAmong, runIds } from '../../rest/read/run.ts'
import { decidingColumns } from '../../rest/read/where.ts'
import type { RequestContext } from '../../rest/request-context.ts'
import type { WatchedList } from '../../rest/watched.ts'
import type { Change } from '../feed.ts'

export type Outcome =
  | { readonly kind: 'create' | 'update'; readonly position: number; readonly id: number; readonly record: string }
  | { readonly kind: 'destroy'; readonly position: number; readonly id: number }
  /** The changes are unknown, so the list must be read again. */
  | { readonly kind: 'reset'; readonly position: number }

/** All changes of one record in a batch. `position` is that of the last one. */
export type ChangedRecord = {
  readonly id: number
  readonly position: number
  /** When the first change was made, by the database's clock. It may have been committed later. */
  readonly since: Date
  readonly isNew: boolean
  readonly columns: ReadonlySet<string>
}

const RECORDS_AT_A_TIME = 500

/** Returns the changed records so that a client that resumes after a record's position misses no change of the records after it. */
export function changedRecords(changes: readonly Change[], table: string): readonly ChangedRecord[] {
  const byId = Map.groupBy(
    changes.filter((change) => change.table === table && change.recordId !== null),
    ({ recordId }) => Number(recordId),
  )
  const records = [...byId]
    .map(([id, those]) => ({
      id,
      first: those[0]?.position ?? 0,
      position: those.at(-1)?.position ?? 0,
      since: new Date(Math.min(...those.map(({ at }) => at.getTime()))),
      isNew: those[0]?.operation === 'create',
      columns: new Set(those.flatMap(({ columns }) => columns)),
    }))
    .sort((one, other) => one.position - other.position)
  let nextFirst = Infinity
  for (const record of records.toReversed()) {
    record.position = Math.min(record.position, nextFirst - 1)
    nextFirst = Math.min(nextFirst, record.first)
  }
  return records
}

export const mayHaveMoved = ({ tables: [own, ...others] }: WatchedList, changes: readonly Change[]): boolean =>
  changes.some(({ table, recordId }) => others.includes(table) || (table === own && recordId === null))

export async function readChanged(
  context: RequestContext,
  list: WatchedList,
  changed: readonly Pick<ChangedRecord, 'id'>[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  for (let at = 0; at < changed.length; at += RECORDS_AT_A_TIME) {
    const ids = changed.slice(at, at + RECORDS_AT_A_TIME).map(({ id }) => id)
    for (const [id, record] of await runAmong(context, list, list.representation, ids)) found.set(id, record)
  }
  return found
}

/**
 * Returns the events of a list whose former records are unknown. A record in the list counts as created if it is new, or a column
 * changed that a condition reads. A record that is not in the list counts as destroyed, unless an untouched condition excludes it. A
 * deleted record always counts as destroyed, since a client may have read it before.
 */
export async function outcomesOfChanges(
  context: RequestContext,
  list: WatchedList,
  changes: readonly Change[],
): Promise<readonly Outcome[]> {
  const last = changes.at(-1)?.position ?? 0
  if (mayHaveMoved(list, changes)) return [{ kind: 'reset', position: last }]
  const changed = changedRecords(changes, list.resource.table)
  const found = await readChanged(context, list, changed)
  const deciding = new Set(list.conditions.flatMap((condition) => decidingColumns(list.resource, condition)))
  const lost = changed.filter(({ id }) => !found.has(id))
  const gone = await leftOut(context, list, lost)
  return changed.flatMap(({ id, position, isNew, columns }): Outcome[] => {
    const record = found.get(id)
    if (record === undefined) return gone.has(id) ? [{ kind: 'destroy', position, id }] : []
    const isCreated = isNew || [...columns].some((column) => deciding.has(column))
    return [{ kind: isCreated ? 'create' : 'update', position, id, record }]
  })
}

export async function leftOut(
  context: RequestContext,
  { resource, conditions }: WatchedList,
  lost: readonly ChangedRecord[],
): Promise<ReadonlySet<number>> {
  const gone = new Set<number>()
  const groups = Map.groupBy(lost, ({ columns }) => [...columns].sort().join())
  for (const records of groups.values()) {
    const columns = records[0]?.columns ?? new Set()
    const isTouched = (condition: Condition) =>
      decidingColumns(resource, condition).some((column) => columns.has(column))
    const ids = records.map(({ id }) => id)
    const here = new Set(await runIds(context, { resource, conditions: [] }, ids.length, ids))
    for (const id of ids) if (!here.has(id)) gone.add(id)
    if (!conditions.some(isTouched)) continue
    const untouched = conditions.filter((condition) => !isTouched(condition))
    for (const id of await runIds(context, { resource, conditions: untouched }, ids.length, ids)) gone.add(id)
  }
  return gone
}
