import { open, role } from '../rest/declare/access.ts'
import { boolean, choice, integer, reference, slug, text, time } from '../rest/declare/fields/columns.ts'
import { unknown } from '../rest/declare/fields/computed.ts'
import { one } from '../rest/declare/fields/embeds.ts'
import { whenRelated, whenSet } from '../rest/declare/filters.ts'
import { resource, under } from '../rest/declare/resource.ts'
import * as joins from './join-tables.ts'

const tutor = role('Basic Tutor')
const staff = { access: role('Advanced Staff') }

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

const EMBEDDED = [
  'id',
  'name',
  'slug',
  'kind',
  'internal_name',
  'description',
  'cursus_id',
  'campus_id',
  'created_at',
  'updated_at',
  'grade_id',
  'position',
  'grade',
] as const

const FILTER = [
  'id',
  'name',
  'slug',
  'kind',
  'internal_name',
  'description',
  'cursus_id',
  'campus_id',
  'created_at',
  'updated_at',
  'grade_id',
  'position',
] as const

const WRITTEN_ONCE_SHOWN = ['guild_size', 'guild_prct', 'mails', 'duration', 'ancestry'] as const
const CONDITIONS = ['certificate_id', 'unlock_all_projects', 'tries_number', 'success_number', 'close_on_fail'] as const

export const quests = resource({
  name: 'quests',
  singular: 'quest',
  summary: 'A goal of a cursus that a user reaches over months, as a grade.',
  identifiedBy: 'slug',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    slug: slug(),
    kind: choice(['main', 'optional', 'mandatory', 'repeatable', 'cursus_version']),
    internal_name: text({ max: 255, ...optional }),
    description: text(),
    cursus_id: reference('cursus', optional),
    campus_id: reference('campus', optional),
    created_at: time(),
    updated_at: time(),
    grade_id: integer({ min: 0, ...optional }),
    position: integer({ min: 0 }),
    grade: unknown,
    cursus: one('cursus', 'embedded'),
    campus: one('campus', 'embedded'),
    guild_size: integer({ min: 0, ...hiddenOptional }),
    guild_prct: integer({ min: 0, max: 100, ...hiddenOptional }),
    mails: text(hiddenOptional),
    duration: integer({ min: 0, ...hiddenOptional }),
    ancestry: text(hiddenOptional),
    certificate_id: integer({ min: 0, ...hiddenOptional }),
    unlock_all_projects: boolean({ hidden: true }),
    tries_number: integer({ min: 0, ...hiddenOptional }),
    success_number: integer({ min: 0, ...hiddenOptional }),
    close_on_fail: boolean({ hidden: true }),
    mails_from: text(hiddenOptional),
  },
  representations: { embedded: EMBEDDED, created: [...EMBEDDED, 'cursus', 'campus', ...WRITTEN_ONCE_SHOWN] },
  answers: { create: 'created' },
  index: {
    sort: [...FILTER, ...WRITTEN_ONCE_SHOWN, ...CONDITIONS, 'mails_from'],
    defaultSort: ['id'],
    filter: FILTER,
  },
  parents: [under('cursus'), under('campus'), under('users', { through: joins.questsUsers })],
  payload: {
    accepts: [
      'name',
      'slug',
      'kind',
      'internal_name',
      'description',
      'cursus_id',
      'campus_id',
      'grade_id',
      'position',
      'guild_size',
      'guild_prct',
      'mails',
      'duration',
      'mails_from',
      ...CONDITIONS,
    ],
    requires: ['name', 'kind'],
    slugFrom: 'name',
  },
  actions: { index: tutor, show: tutor, create: staff, update: staff, destroy: staff },
})

export const questsUsers = resource({
  name: 'quests_users',
  singular: 'quests_user',
  summary: 'How far a user is with a quest.',
  fields: {
    id: integer(),
    end_at: time(optional),
    quest_id: reference('quests'),
    validated_at: time(optional),
    prct: integer({ min: 0, max: 100, ...optional }),
    advancement: text({ max: 255, ...optional }),
    created_at: time(),
    updated_at: time(),
    user: one('users', 'short'),
    quest: one('quests', 'embedded'),
    user_id: reference('users', { hidden: true }),
  },
  index: {
    sort: ['id', 'quest_id', 'user_id', 'end_at', 'validated_at', 'prct', 'advancement', 'created_at', 'updated_at'],
    defaultSort: ['-id'],
    scopes: {
      campus_id: whenRelated(joins.campusOfUser),
      end: whenSet('end_at'),
      validated: whenSet('validated_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'end_at', 'validated_at'], default: 'created_at' },
  parents: [
    under('users', { actions: ['index', 'graph', 'create'] }),
    under('quests', { actions: ['index', 'graph', 'create'] }),
  ],
  payload: {
    accepts: ['quest_id', 'user_id', 'end_at', 'validated_at', 'prct', 'advancement'],
    requires: ['quest_id', 'user_id'],
  },
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})
