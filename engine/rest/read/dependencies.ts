import { rowNames } from '../../database/functions/change-triggers.ts'
import type { Dependencies } from '../answer.ts'
import type { Condition, ParentCondition, RecordKey } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { guardOf } from '../declare/guard-sql.ts'
import { NOW } from '../declare/placeholders.ts'
import type { Engine } from '../engine.ts'
import type { Representation } from '../represent/representation.ts'
import type { Plan } from './plan.ts'
import { isFound } from './record-key.ts'
import { dependsOnClock, tablesOf } from './where.ts'

type Read = {
  readonly resource: Resource
  /** Undefined for counts. */
  readonly representation?: string
  readonly conditions: readonly Condition[]
  readonly order?: Plan['order']
  readonly key?: RecordKey
  /** Parents that must exist. */
  readonly parents?: readonly ParentCondition[]
  readonly tables?: readonly string[]
  /** Time in milliseconds at which the response changes. */
  readonly until?: number
}

/** Call it before the first statement. Returns undefined if the clock or the domain may change the response. */
export function dependenciesOf(engine: Engine, reading: Read): Dependencies | undefined {
  const { resource, conditions, order = [], parents = [], key } = reading
  const shows =
    reading.representation === undefined
      ? undefined
      : shownBy(engine, engine.representations.representation(resource, reading.representation))
  if (dependsOnClock(resource, conditions) || conditions.some(isFoundByDomain)) return undefined
  if (order.some(({ name }) => guardOf(resource, resource.stored(name)?.column ?? name))) return undefined
  if (shows?.changesWithTime) return undefined
  const shownAlone = key && 'id' in key && resource.recordsRows ? rowNames(resource.table, key.id) : undefined
  const names = [
    ...(shownAlone ?? [resource.table]),
    ...tablesOf(conditions),
    ...parents.map(({ parent }) => parent.table),
    ...(shows?.tables ?? []),
    ...(reading.tables ?? []),
  ]
  const isForCaller = shows?.isGuarded === true || conditions.some(asksOfCaller)
  const since = engine.database.changes.count
  const until = Math.min(reading.until ?? Infinity, shows?.expires ? engine.wire.signedUntil() : Infinity)
  return { names, since, isForCaller, ...(until < Infinity && { until }) }
}

/** The tables that the domain reads are unknown. */
const isFoundByDomain = (condition: Condition) =>
  condition.kind === 'found' || (condition.kind === 'parent' && isFound(condition.association))

const asksOfCaller = (condition: Condition) =>
  condition.kind === 'visible' || (condition.kind === 'custom filter' && condition.filter.condition.byCaller)

type Shown = {
  readonly tables: readonly string[]
  readonly isGuarded: boolean
  readonly expires: boolean
  readonly changesWithTime: boolean
}

function shownBy({ representations }: Engine, representation: Representation): Shown {
  const known = shown.get(representation)
  if (known) return known
  const inside = new Set<Representation>()
  const gather = ({ fragments, deferred }: Representation) => {
    for (const key of [...fragments, ...deferred]) {
      const part = representations.representationOf(key)
      if (inside.has(part)) continue
      inside.add(part)
      gather(part)
    }
  }
  gather(representation)
  const all = [representation, ...inside]
  const tables = new Set([...representation.otherTables, ...[...inside].flatMap((part) => [...part.tables])])
  const found = {
    tables: [...tables],
    isGuarded: all.some(({ isGuarded }) => isGuarded),
    expires: all.some(({ expires }) => expires),
    // Fields may be hidden for a time.
    changesWithTime: all.some(({ select, joins }) => select.includes(NOW) || joins.includes(NOW)),
  }
  shown.set(representation, found)
  return found
}

const shown = new WeakMap<Representation, Shown>()
