import type { ActionInput, Renderer } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { permit } from '@campus/engine/rest/declare/access'
import { increases } from '@campus/engine/rest/declare/change-condition'
import type { MemberAction } from '@campus/engine/rest/declare/declaration'
import { bounded } from '@campus/engine/rest/declare/fields/bounds'
import { integer, reference, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { integerKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenFuture, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { addToPool, removeFromPool, updatePool } from '../domain/points/pools.ts'
import { role } from './access.ts'
import { requiredParameter } from './parameters.ts'

const tutor = role('Advanced Tutor')
const MAX_POINTS = 1_000_000

const change = (
  method: 'POST' | 'DELETE',
  description: string,
  respond: (tx: Handle, input: ActionInput & Renderer) => Promise<string>,
): MemberAction => ({
  access: tutor,
  description: `${description}, and tells the pool`,
  method,
  unwrapped: true,
  accepts: {
    points: requiredParameter('how many points', bounded(integerKind, { min: -MAX_POINTS, max: MAX_POINTS })),
  },
  respond,
  schema: (schemaOf) => schemaOf('pools', 'record'),
})

const pointsOfPool: Field = Object.freeze({
  hidden: false,
  schema: () => objectSchema({ old: { type: 'integer' }, current: { type: 'integer' } }),
  compile(scope) {
    const [old, current] = ['former_points', 'current_points'].map((column) => scope.select(`${scope.alias}.${column}`))
    return (row) => `{"old":${row[old ?? 0]},"current":${row[current ?? 0]}}`
  },
} satisfies Field)

export const pools = resource({
  name: 'pools',
  summary: 'Evaluation points that belong to all who follow a cursus at a campus.',
  fields: {
    id: integer(),
    current_points: described('points that it holds', integer({ min: 0 })),
    max_points: described('points with which it is full; it may hold more', integer({ min: 0, required: true })),
    cursus_id: reference('cursus', { required: true }),
    campus_id: reference('campus', { required: true }),
    given_by_id: described('user who last gave points', reference('users', { hidden: true, nullable: true })),
    ...timestamps({ hidden: true }),
  },
  webhook: {
    instead: {
      id: integer(),
      campus_id: reference('campus'),
      cursus_id: reference('cursus'),
      given_by: described(
        'who gave the latest points; null if an application did so with a token of its own',
        one('users', 'giver'),
      ),
      points: described('points that it held before the latest gift, and that it holds', pointsOfPool),
      max_points: integer(),
    },
  },
  index: {
    sort: { except: ['given_by_id'] },
    defaultSort: ['-created_at', '-id'],
    range: [],
  },
  payload: { accepts: { except: ['given_by_id'] } },
  dependents: { deleted: ['balances.pool_id'] },
  events: { point_given: increases('current_points', 'Correction points are given to the pool.') },
  actions: {
    ...permit({ read: tutor, write: tutor }),
    update: { access: tutor, perform: updatePool },
    members: {
      'points/add': change('POST', 'puts points into it, or takes them out where they are below 0', addToPool),
      'points/remove': change('DELETE', 'takes points out of it, whatever their sign', removeFromPool),
    },
  },
})

export const balances = resource({
  name: 'balances',
  summary: 'A sale: a time in which a pool is paid out for evaluations.',
  fields: {
    id: integer(),
    pool_id: reference('pools', { required: true }),
    begin_at: described('when it begins', time({ required: true })),
    end_at: described('when it ends; null while no end is set', time({ nullable: true })),
    ...timestamps({ hidden: true }),
  },
  index: {
    defaultSort: ['-created_at', '-id'],
    range: [],
    customFilters: { future: whenFuture('begin_at'), end: whenSet('end_at') },
  },
  parents: [under('pools', { actions: ['index', 'show', 'create', 'update', 'destroy'] })],
  payload: {
    checks: { balances_end_at_check: ['end_at', message('must be after {field}', { field: 'begin_at' })] },
  },
  actions: permit({ read: tutor, write: tutor }),
})
