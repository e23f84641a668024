import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

type Rule = {
  readonly session_id: number
  readonly name: string
  readonly params: Readonly<Record<string, string | null>>
}

type Facts = {
  /** Ids and slugs of validated projects. */
  readonly validated: ReadonlySet<string>
  /** Highest level in a cursus of each project. */
  readonly levels: ReadonlyMap<number, number>
  /** Time of the mark of the last team on each project. */
  readonly markedAt: ReadonlyMap<number, Date>
  readonly now: Date
}

type RuleCheck = (facts: Facts, projectId: number, params: Rule['params']) => boolean

/** Rules whose param `projects` names projects by id or slug. */
export const RULES_OF_PROJECTS: readonly string[] = ['projects_validated', 'one_project_validated']

const DAY = 24 * 60 * 60 * 1000

/** By `internal_name`. People decide rules that are not listed. */
const RULES: Readonly<Record<string, RuleCheck>> = {
  projects_validated: ({ validated }, _, { projects }) => listOf(projects).every((project) => validated.has(project)),
  one_project_validated: ({ validated }, _, { projects }) => listOf(projects).some((project) => validated.has(project)),
  cursus_level: ({ levels }, projectId, { level }) => (levels.get(projectId) ?? 0) >= Number(level),
  days_between_tries: ({ markedAt, now }, projectId, { days }) =>
    now.getTime() - (markedAt.get(projectId)?.getTime() ?? Number.NEGATIVE_INFINITY) >= Number(days) * DAY,
}

export async function satisfiesRules(
  handle: Handle,
  userId: number,
  sessionIds: readonly number[],
  now: Date,
): Promise<(session: { readonly project_id: number; readonly session_id: number }) => boolean> {
  const rules = await rulesOf(handle, sessionIds)
  if (rules.length === 0) return () => true
  const facts = await factsAbout(handle, userId, now)
  return ({ project_id, session_id }) =>
    rules
      .filter((rule) => rule.session_id === session_id)
      .every(({ name, params }) => RULES[name]?.(facts, project_id, params) ?? true)
}

async function rulesOf(handle: Handle, sessionIds: readonly number[]): Promise<readonly Rule[]> {
  const { rows } = await sql<Rule>`
    select s.project_session_id as session_id, r.internal_name as name,
      coalesce(json_object_agg(p.name, coalesce(v.value, p.default_value)) filter (where p.id is not null), '{}') as params
    from project_sessions_rules s join rules r on r.id = s.rule_id
    left join params p on p.rule_id = r.id
    left join params_project_sessions_rules v on v.param_id = p.id and v.project_sessions_rule_id = s.id
    where s.project_session_id = any(${[...sessionIds]}::int[]) and s.required
      and r.kind in ('inscription', 'retry_inscription')
    group by s.id, r.id`.execute(handle.kysely)
  return rows
}

async function factsAbout(handle: Handle, userId: number, now: Date): Promise<Facts> {
  const projects = await sql<{ id: number; slug: string; validated: boolean | null; marked_at: Date | null }>`
    select p.id, p.slug, u.validated, u.marked_at from projects_users u join projects p on p.id = u.project_id
    where u.user_id = ${userId}`.execute(handle.kysely)
  const levels = await sql<{ project_id: number; level: number }>`
    select c.project_id, max(u.level) as level
    from cursus_users u join projects_cursus c on c.cursus_id = u.cursus_id
    where u.user_id = ${userId} group by c.project_id`.execute(handle.kysely)
  const validated = projects.rows.filter((project) => project.validated)
  return {
    validated: new Set(validated.flatMap(({ id, slug }) => [String(id), slug])),
    levels: new Map(levels.rows.map(({ project_id, level }) => [project_id, level])),
    markedAt: new Map(projects.rows.flatMap(({ id, marked_at }) => (marked_at ? [[id, marked_at] as const] : []))),
    now,
  }
}

/** Reads `a, b` or `["a", "b"]`. */
export const listOf = (text: string | null | undefined): readonly string[] => (text ?? '').match(/[^\s,"[\]]+/g) ?? []
