import { all, permit } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { boolean, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { checkValues } from '../domain/projects/rules.ts'
import { role, scope } from './access.ts'

const read = role('Basic Tutor')
const tutor = all(scope('projects'), role('Advanced Tutor'))

export const projectSessionsRules = resource({
  name: 'project_sessions_rules',
  summary: 'A rule holds in a project session, with values of its own.',
  fields: {
    id: integer(),
    required: described('whether the rule must be kept', boolean()),
    position: described('place among the rules, lowest first', integer({ min: 0 })),
    params: described(
      'values of the params of the rule',
      many('params_project_sessions_rules', 'record', { order: 'param_id' }),
    ),
    rule: one('rules', 'embedded'),
    project_session_id: reference('project_sessions', { required: true }),
    rule_id: reference('rules', { hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  representations: { embedded: ['id', 'required', 'position', 'params', 'rule'] },
  parents: [under('project_sessions', { actions: ['index', 'create'] })],
  payload: {
    nested: {
      params_project_sessions_rules_attributes: {
        resource: 'params_project_sessions_rules',
      },
    },
    validateAfter: checkValues,
  },
  dependents: { deleted: ['params_project_sessions_rules.project_sessions_rule_id'] },
  actions: permit({ read: read, write: tutor }),
})

export const paramsProjectSessionsRules = resource({
  name: 'params_project_sessions_rules',
  summary: 'The value of a param of a rule in one project session.',
  fields: {
    id: integer(),
    param_id: reference('params', { required: true }),
    project_sessions_rule_id: reference('project_sessions_rules', { required: true }),
    value: described('value of the param; null for its default', text({ nullable: true })),
    ...timestamps(),
  },
  payload: {},
  actions: embeddedOnly,
})
