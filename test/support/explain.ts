import { PLANNED_ANEW } from '@campus/engine/database/prepared-names'
import type pg from 'pg'

/** A step of a plan, as `explain (format json)` shows it. */
type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly Plans?: readonly Node[]
}

/**
 * How the server runs a statement of the service: whatever its values, where it is prepared, else with them.
 * The client sends texts without values, as `explain` of what is prepared needs.
 */
export async function planOf(client: pg.Client, text: string, values: readonly unknown[]): Promise<Node> {
  const isPrepared = !text.startsWith(PLANNED_ANEW)
  const { rows } = isPrepared
    ? await client.query(`explain (generic_plan, format json) ${text}`)
    : await client.query(`explain (format json) ${text}`, [...values])
  return rows[0]['QUERY PLAN'][0].Plan
}

/** In the planner's unit, the reading of a page of a table. */
export const costOf = (plan: Node) => plan['Total Cost']

/**
 * Returns faults of a plan for a page of records: it reads a large table as a whole, sorts too many rows, or costs too
 * much.
 */
export function faultsOf(
  plan: Node,
  isLarge: (table: string) => boolean,
  most: { readonly rows: number; readonly cost: number },
) {
  const faults = [...nodesOf(plan)].flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table = '', Plans: [input] = [] } = node
    if (type === 'Seq Scan' && isLarge(table)) return `reads all of ${table}`
    if (type === 'Sort' && input && input['Plan Rows'] > most.rows) return `sorts ${input['Plan Rows']} rows`
    return []
  })
  if (faults.length === 0 && costOf(plan) > most.cost) faults.push(`costs ${costOf(plan)}`)
  return faults
}

function* nodesOf(plan: Node): Generator<Node> {
  yield plan
  for (const node of plan.Plans ?? []) yield* nodesOf(node)
}
