import {
  type AggregatesByTable,
  type CountedBy,
  daysName,
  groupName,
  QUARTERS_OF_DAY,
} from '../../database/aggregates.ts'
import type { Condition, ParentCondition } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { guardOf } from '../declare/guard-sql.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'
import { askedOfColumn } from './custom-filter.ts'
import type { RecordSet } from './plan.ts'
import { isFound, parentId } from './record-key.ts'

type Asked = CountedBy & {
  /** Texts or nulls, or the only parent. */
  readonly values: readonly (string | null)[] | ParentCondition
}

/** Returns SQL that sums up stored counts, or undefined. No column of the conditions may have a guard. */
export function aggregateTotal(records: RecordSet, builder: SqlBuilder, aggregates: AggregatesByTable) {
  const { resource, conditions } = records
  if (conditions.length === 0) {
    if (!aggregates.has(resource.table)) return undefined
    return `select coalesce(sum(row_count), 0) from row_counts where relation = ${builder.value(resource.table, 'text')}`
  }
  const [first] = conditions
  const joined = conditions.length === 1 && first?.kind === 'parent' ? askedOfJoinTable(first) : undefined
  if (joined) return groupTotal(joined.table, [joined.asked], builder, aggregates)
  const asked = conditions.map((condition) => askedOf(resource, condition))
  const known = asked.filter((one) => one !== undefined)
  return known.length < asked.length ? undefined : groupTotal(resource.table, known, builder, aggregates)
}

function groupTotal(table: string, asked: readonly Asked[], builder: SqlBuilder, aggregates: AggregatesByTable) {
  const group = aggregates
    .get(table)
    ?.groups.find((columns) => asked.every((one) => columns.some((other) => isSame(one, other))))
  if (!group) return undefined
  const series = `relation = ${builder.value(table, 'text')} and series = ${builder.value(groupName(group), 'text')}`
  const keys = asked.map((one) => keySql(`keys[${group.findIndex((other) => isSame(one, other)) + 1}]`, one, builder))
  return `select coalesce(sum(row_count), 0) from stored_counts where ${[series, ...keys].join(' and ')}`
}

/**
 * SQL conditions on compacted counts by time (`added`, and by day) and on later changes, which have no rows for all
 * keys together.
 */
export type TimeAggregates = { readonly added: string; readonly changes: string; addedByDay(): string }

export function timeAggregates(records: RecordSet, column: string, builder: SqlBuilder): TimeAggregates | undefined {
  const { resource, conditions } = records
  const declared = resource.aggregates
  if (!declared?.times?.some((time) => time === column) || guardOf(resource, column) || conditions.length > 1)
    return undefined
  const [condition] = conditions
  const asked = condition && askedOf(resource, condition)
  const isByKey = declared.timesBy?.times.some((time) => time === column)
  if (condition && (!asked || asked.isSet || !isByKey || asked.column !== declared.timesBy?.column)) return undefined
  const key = asked && oneKey(asked, builder)
  if (condition && key === undefined) return undefined
  const relation = `relation = ${builder.value(resource.table, 'text')}`
  const added = `${relation} and keys = ${key === undefined ? "'{}'::text[]" : `array[${key}]`}`
  const series = `series = ${builder.value(column, 'text')}`
  return {
    added: `${added} and ${series}`,
    addedByDay: () => `${added} and series = ${builder.value(daysName(column), 'text')}`,
    changes: `${key === undefined ? relation : added} and ${series}`,
  }
}

export const dayCounts = ({ addedByDay, changes }: TimeAggregates) =>
  `select period, row_count from compacted_counts where ${addedByDay()}
    union all select floor(period / ${QUARTERS_OF_DAY}.0)::bigint, row_count from count_changes where ${changes}`

export const quarterCounts = ({ added, changes }: TimeAggregates, which = '') =>
  `select period, row_count from compacted_counts where ${added}${which}
    union all select period, row_count from count_changes where ${changes}${which}`

const isSame = (one: CountedBy, other: CountedBy) => one.column === other.column && one.isSet === other.isSet

/** Each row of a join table stands for another record, since it may join two records only once. */
function askedOfJoinTable(condition: ParentCondition) {
  const { association } = condition
  if (typeof association === 'string' || isFound(association) || 'anyOf' in association) return undefined
  const { table, otherKey, key, unless, only, current } = association
  if (typeof otherKey !== 'string' || key || unless || only || current) return undefined
  return { table, asked: { column: otherKey, values: condition } }
}

function askedOf(resource: Resource, condition: Condition): Asked | undefined {
  const asked = plainlyAsked(resource, condition)
  return asked && guardOf(resource, asked.column) ? undefined : asked
}

function plainlyAsked(resource: Resource, condition: Condition): Asked | undefined {
  switch (condition.kind) {
    case 'filter':
      return {
        column: resource.stored(condition.name)?.column ?? condition.name,
        values: condition.values.map((value) => (value === null ? null : String(value))),
      }
    case 'custom filter':
      return askedOfColumn(condition)
    case 'parent':
      return typeof condition.association === 'string'
        ? { column: condition.association, values: condition }
        : undefined
    default:
      return undefined
  }
}

/** Returns the SQL of the stored key if there is only one. */
function oneKey({ values }: Asked, builder: SqlBuilder): string | undefined {
  if ('kind' in values) return `(${parentId(values, builder)})::text`
  return values.length === 1 && values[0] !== null ? builder.value(values[0], 'text') : undefined
}

function keySql(key: string, asked: Asked, builder: SqlBuilder): string {
  const one = oneKey(asked, builder)
  const { values } = asked
  if (one !== undefined || 'kind' in values) return `${key} = ${one}`
  const isOneOf = `${key} = any(${builder.value(
    values.filter((value) => value !== null),
    'text[]',
  )})`
  return values.includes(null) ? `(${isOneOf} or ${key} is null)` : isOneOf
}
