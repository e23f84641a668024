import { sessionSetting } from '../../base/service.ts'
import { identifier, literal } from '../literal.ts'
import type { SqlFunction } from './definitions.ts'

export type NamedChange = {
  readonly event: string
  /** SQL condition for a new record `n`. False by default. */
  readonly ofNew?: string
  /** SQL condition for a change from row `o` to row `n`. */
  readonly ofChanged: string
}

export type CarriedSql = (row: string) => string

/**
 * Readers of the feed besides streams. The feed retains changes that they have not read while one of their rows is
 * `active`.
 */
export type FeedReaders = {
  readonly calls: {
    readonly reader: string
    readonly table: string
  }
  /** Table of subscriptions to single tables, named by its column `relation`. Other readers than `calls.reader` serve them. */
  readonly subscriptions: string
}

export type CapturedTable = {
  readonly table: string
  /** Whether records have an integer `id`. Otherwise the feed only says that the table has changed. */
  readonly hasId: boolean
  readonly columns: readonly CapturedColumn[]
  readonly named: readonly NamedChange[]
  /** Whether the table has subscribers. If not, changes are recorded only while a receiver is enabled. */
  readonly isSubscribed: boolean
  /** SQL of the text stored with a change for receivers, or undefined if the table has no receivers. */
  readonly carries: CarriedSql | undefined
}

/** Columns are comparable unless their type has no equality. */
export type CapturedColumn = { readonly name: string; readonly isComparable: boolean }

/**
 * Maximum number of rows of a statement that are recorded one by one. More rows count as one change of the table,
 * unless receivers are called about each row.
 */
export const MAX_CAPTURED_ROWS = 10_000

const captureFunctionName = (table: string): string => `capture_${table}`

export const CAPTURE_FUNCTIONS = '^capture_'

/**
 * Returns the trigger function of a captured table, called once per statement. It also records changes for caches like `record_change`
 * and `record_rows`, so that the table needs no further triggers.
 */
export function captureFunction(
  { table, hasId, columns, named, isSubscribed, carries }: CapturedTable,
  readers: FeedReaders | undefined,
  rowsAreRecorded: boolean,
): SqlFunction {
  if (carries !== undefined && readers === undefined)
    throw new Error(`receivers are called about ${table}, but no table of receivers is declared`)
  const log = (operation: string, select: string) => `
          insert into change_log (relation, record_id, operation, columns, events, actor${carries === undefined ? '' : ', carried, former'})
          select ${literal(table)}, ${select.replace('$operation', literal(operation))};`
  /** The text of the record, and of its former state if that differs. */
  const carried = (value = 'null', former = 'null') =>
    carries === undefined ? '' : `, case when is_called then ${value} end, case when is_called then ${former} end`
  const value = (row: string) => carries?.(row)
  const actor = `nullif(current_setting('${sessionSetting('actor')}', true), '')`
  const wholeTable = log('table', `null, $operation, null, null, ${actor}${carried()}`)
  const unlessMany = (rows: string, otherwise: string) =>
    hasId
      ? `if (select count(*) from (select from ${rows} limit ${MAX_CAPTURED_ROWS + 1}) counted) > ${MAX_CAPTURED_ROWS}${carries === undefined ? '' : ' and not is_called'} then${wholeTable}
        else${otherwise}
        end if;`
      : `if exists (select from ${rows}) then${wholeTable}
        end if;`
  const events = (condition: (change: NamedChange) => string | undefined) => {
    const cases = named.flatMap((change) => {
      const sql = condition(change)
      return sql === undefined ? [] : `case when ${sql} then ${literal(change.event)} end`
    })
    return cases.length === 0 ? 'null::text[]' : `nullif(array_remove(array[${cases.join(', ')}], null), '{}')`
  }
  const differ = ({ name, isComparable }: CapturedColumn) => {
    const [before, after] = [`o.${identifier(name)}`, `n.${identifier(name)}`].map((one) =>
      isComparable ? one : `${one}::text`,
    )
    return `case when ${before} is distinct from ${after} then ${literal(name)} end`
  }
  // A changed id counts as a deleted and a new record.
  const changed = `
          with pairs as (
            select coalesce(n.id, o.id) as record_id, o.id as former_id, n.id as new_id,
              case when o.id is not null and n.id is not null then array_remove(array[${columns.map(differ).join(', ')}], null) end as columns,
              case when o.id is not null and n.id is not null then ${events(({ ofChanged }) => ofChanged)} end as events${carries === undefined ? '' : `, coalesce(${value('n')}, ${value('o')}) as carried, nullif(${value('o')}, ${value('n')}) as former`}
            from old_rows o full join new_rows n on n.id = o.id
          )
          insert into change_log (relation, record_id, operation, columns, events, actor${carries === undefined ? '' : ', carried, former'})
          select ${literal(table)}, record_id,
            case when new_id is null then 'destroy' when former_id is null then 'create' else 'update' end, columns, events, ${actor}${carried('carried', 'former')}
          from pairs where columns is distinct from '{}' order by record_id;`
  return {
    name: captureFunctionName(table),
    returns: 'trigger',
    language: 'plpgsql',
    body: `${carries === undefined || readers === undefined ? '' : isCalled(readers.calls.table)}
      begin
        insert into table_changes (relation) values (${literal(table)}) on conflict do nothing;${rowsAreRecorded ? recordRows(table) : ''}${isSubscribed ? '' : NOT_SUBSCRIBED}
        if tg_op = 'INSERT' then
        ${unlessMany('new_rows', log('create', `n.id, $operation, null, ${events(({ ofNew }) => ofNew)}, ${actor}${carried(value('n'))} from new_rows n order by n.id`))}
        elsif tg_op = 'UPDATE' then
        ${unlessMany('new_rows', changed)}
        elsif tg_op = 'DELETE' then
        ${unlessMany('old_rows', log('destroy', `o.id, $operation, null, null, ${actor}${carried(value('o'))} from old_rows o order by o.id`))}
        else${wholeTable}
        end if;
        return null;
      end
    `,
  }
}

const isCalled = (receivers: string) => `
      declare
        is_called boolean := coalesce(current_setting('${sessionSetting('webhooks')}', true), '') <> 'off' and exists (select from ${receivers} where active);`

const NOT_SUBSCRIBED = `
        if not is_called then return null; end if;`

/** Records the groups of changed rows, like `record_rows`. */
const recordRows = (table: string) => `
        if tg_op in ('UPDATE', 'DELETE') then
          with found as (select distinct id & 1023 as rows from old_rows limit 65),
            counted as (select count(*) > 64 as are_many from found)
          insert into table_changes (relation)
            select distinct ${literal(`${table}#`)} || case when are_many then '*' else rows::text end from found, counted
            on conflict do nothing;
        elsif tg_op = 'TRUNCATE' then
          insert into table_changes (relation) values (${literal(`${table}#*`)}) on conflict do nothing;
        end if;`

/** Returns the triggers of a captured table by name, as `pg_get_triggerdef` prints them. */
export function captureTriggersOf(table: string): ReadonlyMap<string, string> {
  const trigger = (what: string, operation: string, transitions: string) => {
    const name = `${table}_captured_${what}`
    const text = `CREATE TRIGGER ${name} AFTER ${operation} ON public.${table}${transitions} FOR EACH STATEMENT EXECUTE FUNCTION ${captureFunctionName(table)}()`
    return [name, text] as const
  }
  return new Map([
    trigger('delete', 'DELETE', ' REFERENCING OLD TABLE AS old_rows'),
    trigger('insert', 'INSERT', ' REFERENCING NEW TABLE AS new_rows'),
    trigger('truncate', 'TRUNCATE', ''),
    trigger('update', 'UPDATE', ' REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows'),
  ])
}
