import type { Condition } from '../../rest/condition.ts'
import { runAmong, runIds } from '../../rest/read/run.ts'
import { decidingColumns } from '../../rest/read/where.ts'
import type { RequestContext } from '../../rest/request-context.ts'
import type { WatchedList } from '../../rest/watched.ts'
import type { Change } from '../feed.ts'

/** An event of a list after a batch of changes. */
export type Outcome =
  | { readonly kind: 'create' | 'update'; readonly position: number; readonly id: number; readonly record: string }
  | { readonly kind: 'destroy'; readonly position: number; readonly id: number }
  /** More than can be said: the list is to be read again. */
  | { readonly kind: 'reset'; readonly position: number }

/** All changes of one record at a time, of which the last one counts for the order. */
export type ChangedRecord = {
  readonly id: number
  readonly position: number
  /** When the first of these changes began, as the database counts; it may have been committed later. */
  readonly since: Date
  readonly isNew: boolean
  readonly columns: ReadonlySet<string>
}

const RECORDS_AT_A_TIME = 500

/**
 * Returns the changed records in the order of their last changes. A client that resumes after a record's position misses no
 * change of the records that follow it.
 */
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

/** Whether a change of other tables, or one of many rows, may have changed which records the list has. */
export const mayHaveMoved = ({ tables: [own, ...others] }: WatchedList, changes: readonly Change[]): boolean =>
  changes.some(({ table, recordId }) => others.includes(table) || (table === own && recordId === null))

/** The changed records that the list has, as they are now. */
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
 * What has become of the list where it is not known which records it had. A record that it has is new where it was created, or
 * where a column has changed that decides whether the list has it. One that it has no more was in it unless a condition that no change
 * touched leaves it out; of one that is gone this is not known, nor of one that came and went: a page that was read between the two had it.
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

/** Returns the records that are not in the list and may have been in it before. */
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
