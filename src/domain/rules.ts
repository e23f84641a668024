import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import type { WriteInput } from '../rest/resource.ts'

/** A rule is told only what it asks for: the params must be its own. Throws 422. */
export async function checkRuleParams(tx: Handle, { id }: WriteInput): Promise<number> {
  const { rows } = await sql<{ param_id: number }>`
    select v.param_id from params_project_sessions_rules v
    join project_sessions_rules s on s.id = v.project_sessions_rule_id join params p on p.id = v.param_id
    where s.id = ${id} and p.rule_id <> s.rule_id`.execute(tx.kysely)
  if (rows.length > 0) {
    throw unprocessable({
      params_project_sessions_rules_attributes: [`param ${rows[0]?.param_id} is not one of the rule's`],
    })
  }
  return id
}
