import { filled, type Message, message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { listOf, RULES_OF_PROJECTS } from './registration-rules.ts'

type Param = {
  readonly rule: string
  readonly name: string
  readonly data_type: string
  readonly value: string | null
}

/** Throws 422 unless the values are for params of the rule and have their types. */
export async function checkValues(tx: Handle, id: number): Promise<void> {
  const strays = await sql<{ param_id: number }>`
    select v.param_id from params_project_sessions_rules v
    join project_sessions_rules s on s.id = v.project_sessions_rule_id join params p on p.id = v.param_id
    where s.id = ${id} and p.rule_id <> s.rule_id`.execute(tx.kysely)
  const { rows } = await sql<Param>`
    select r.internal_name as rule, p.name, p.data_type, coalesce(v.value, p.default_value) as value
    from project_sessions_rules s join rules r on r.id = s.rule_id join params p on p.rule_id = r.id
    left join params_project_sessions_rules v on v.param_id = p.id and v.project_sessions_rule_id = s.id
    where s.id = ${id} order by p.id`.execute(tx.kysely)
  const errors: Message[] = strays.rows.map(({ param_id }) =>
    message("param {id} is not one of the rule's", { id: param_id }),
  )
  for (const param of rows) {
    const fault = paramError(param) ?? (await projectsError(tx, param))
    if (fault) errors.push(message('{param} {fault}', { param: param.name, fault: filled(fault) }))
  }
  if (errors.length > 0) throw unprocessable({ params_project_sessions_rules_attributes: errors })
}

/** Throws 422 unless the defaults of the params have their types. */
export async function checkDefaults(tx: Handle, id: number): Promise<void> {
  const { rows } = await sql<Param>`
    select r.internal_name as rule, p.name, p.data_type, p.default_value as value
    from rules r join params p on p.rule_id = r.id where r.id = ${id} order by p.id`.execute(tx.kysely)
  const errors = rows.flatMap((param) => {
    const fault = param.value === null ? undefined : paramError(param)
    return fault ? [message('the default_value of {param} {fault}', { param: param.name, fault: filled(fault) })] : []
  })
  if (errors.length > 0) throw unprocessable({ params_attributes: errors })
}

const LARGEST_INTEGER = 2_147_483_647

function paramError({ data_type, value }: Param): Message | undefined {
  if (data_type === 'integer' && value !== null) {
    const isCount = /^\s*\d{1,10}\s*$/.test(value) && Number(value) <= LARGEST_INTEGER
    return isCount ? undefined : message('is no whole number from 0 to {most}', { most: LARGEST_INTEGER })
  }
  if (data_type === 'array' && value !== null)
    return isList(value) ? undefined : 'is no list, such as ["a", "b"] or a, b'
  return undefined
}

/** Accepts `a, b` or JSON. */
function isList(value: string): boolean {
  if (!/^\s*[[{]/.test(value)) return listOf(value).length > 0
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) && list.every((one) => typeof one === 'string' || typeof one === 'number')
  } catch {
    return false
  }
}

/** A rule about a project that does not exist could never be satisfied. */
async function projectsError(tx: Handle, { rule, name, value }: Param): Promise<Message | undefined> {
  if (!RULES_OF_PROJECTS.includes(rule) || name !== 'projects') return undefined
  const named = [...new Set(listOf(value))]
  if (named.length === 0) return 'must name projects, by id or slug'
  const { rows } = await sql<{ id: string; slug: string }>`
    select id::text, slug from projects where id::text = any(${named}) or slug = any(${named})`.execute(tx.kysely)
  const known = new Set(rows.flatMap(({ id, slug }) => [id, slug]))
  const missing = named.filter((one) => !known.has(one))
  return missing.length === 0
    ? undefined
    : message('names no project: {names}', {
        names: missing
          .slice(0, 5)
          .map((one) => one.slice(0, 80))
          .join(', '),
      })
}
