import { isRecord } from '../base/narrow.ts'
import { HttpError } from '../errors.ts'
import { type ActionRequest, narrowing } from './action-request.ts'
import type { Condition } from './condition.ts'
import { integerKind } from './declare/fields/kinds.ts'
import type { Engine } from './engine.ts'
import { restrictionOf } from './read/actions.ts'
import { dependenciesOf } from './read/dependencies.ts'
import type { Plan } from './read/plan.ts'
import { decidingTables, dependsOnClock } from './read/where.ts'
import type { Route } from './route-table.ts'

export type WatchedList = Pick<Plan, 'resource' | 'conditions'> & {
  readonly representation: string
  /** Tables that decide which records are in the list, beginning with its own. */
  readonly tables: readonly string[]
  /** Records enter or leave the list with time. */
  readonly dependsOnClock: boolean
  readonly isForCaller: boolean
}

export const isWatchable = ({ listOf, action }: Route): boolean =>
  listOf !== undefined || action === 'show' || action === 'owner'

/** Plans a watched route. Throws errors of the route, and 406 if only the domain knows its records. */
export async function planWatched(engine: Engine, route: Route, request: ActionRequest): Promise<WatchedList> {
  const { resource } = route
  if (route.listOf) {
    const { plan, representation } = await route.listOf(engine, request)
    return describe(engine, { resource, conditions: plan.conditions, representation })
  }
  const [id] = await idsAnswered(engine, route, request)
  const one: Condition = { kind: 'filter', name: 'id', type: integerKind, values: [id ?? 0] }
  const conditions = [one, ...narrowing(resource, request), ...restrictionOf(resource, request).hidden]
  return describe(engine, { resource, conditions, representation: route.representation ?? 'record' })
}

/** Returns the ids that the route returns now. Throws errors of the route. */
export async function idsAnswered(engine: Engine, route: Route, request: ActionRequest): Promise<readonly number[]> {
  const { body = '[]' } = await route.run(engine, request, request.params)
  const shown: unknown = JSON.parse(body)
  return (Array.isArray(shown) ? shown : [shown]).map((record) => {
    if (isRecord(record) && typeof record.id === 'number') return record.id
    throw notWatched()
  })
}

function describe(engine: Engine, list: Pick<WatchedList, 'resource' | 'conditions' | 'representation'>): WatchedList {
  const { resource, conditions } = list
  if (conditions.some(({ kind }) => kind === 'found')) throw notWatched()
  const depends = dependenciesOf(engine, list)
  return {
    ...list,
    tables: [...new Set(decidingTables(resource, conditions))],
    dependsOnClock: dependsOnClock(resource, conditions),
    // A response that cannot be cached is not shared.
    isForCaller: depends === undefined || depends.isForCaller,
  }
}

const notWatched = () =>
  new HttpError(406, 'What this address answers cannot be watched; ask for it as application/json.', {
    source: { header: 'Accept' },
  })
