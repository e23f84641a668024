import { permit } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { choice, integer, reference, slug, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many } from '@campus/engine/rest/declare/fields/embeds'
import { resource } from '@campus/engine/rest/declare/resource'
import { checkDefaults } from '../domain/projects/rules.ts'
import { role } from './access.ts'

const read = role('Basic Tutor')

const KINDS = [
  ...['inscription', 'retry_inscription', 'correction', 'final_compilation', 'eval_compilation', 'retriable'],
  ...['group_validation', 'team_generation', 'experience_modification'],
]

const EMBEDDED = ['id', 'kind', 'name', 'description', 'created_at', 'updated_at', 'slug', 'internal_name'] as const

export const rules = resource({
  name: 'rules',
  summary: 'Something that may be asked in a project session, as of those who register.',
  cachedInMemory: true,
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    kind: described('at what moment it is asked', choice(KINDS, { required: true })),
    name: text({ max: 255, required: true }),
    description: described('what it asks, for people', text({ nullable: true })),
    ...timestamps(),
    slug: slug(),
    internal_name: described('name by which the service knows how to judge it', text({ max: 255, required: true })),
    params: described('what it can be told in each session', many('params', 'record')),
  },
  representations: { embedded: EMBEDDED },
  payload: {
    nested: { params_attributes: { resource: 'params' } },
    slugFrom: 'name',
    validateAfter: checkDefaults,
  },
  dependents: { deleted: ['params.rule_id'] },
  actions: permit({ read: read, write: role('Advanced Staff') }),
})

export const params = resource({
  name: 'params',
  summary: 'What a rule can be told in each project session.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    default_value: described('value where a session gives none', text({ nullable: true })),
    rule_id: reference('rules', { required: true }),
    ...timestamps(),
    data_type: described('how the value is read', choice(['string', 'parsed_string', 'integer', 'array'])),
  },
  payload: {},
  actions: embeddedOnly,
})
