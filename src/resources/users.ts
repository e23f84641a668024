import { LOGIN, LOGIN_RULE } from '../domain/login.ts'
import { createUser, updateUser } from '../domain/users.ts'
import { open, role } from '../rest/declare/access.ts'
import { idKind } from '../rest/declare/fields/bounds.ts'
import { boolean, choice, integer, month, text, time, year, zonedDate } from '../rest/declare/fields/columns.ts'
import { isNotSet, isSet, isWord, lookup, masked, picture, url, words } from '../rest/declare/fields/computed.ts'
import { fromJoinTable, many } from '../rest/declare/fields/embeds.ts'
import { booleanKind, objectKind, objectTextKind, textKind } from '../rest/declare/fields/kinds.ts'
import { whenRelated, whenSet, whenWord } from '../rest/declare/filters.ts'
import { resource, through, under } from '../rest/declare/resource.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import { examOfUser } from './exams.ts'

const tutor = role('Advanced Tutor')

const REFERENCE = ['id', 'login', 'url'] as const

/** What lists and embedded users carry (wire-facts A3); some clients refuse a missing or another key. */
const SHORT = [
  'id',
  'email',
  'login',
  'first_name',
  'last_name',
  'usual_full_name',
  'usual_first_name',
  'url',
  'phone',
  'displayname',
  'kind',
  'image',
  'staff?',
  'correction_point',
  'pool_month',
  'pool_year',
  'location',
  'wallet',
  'anonymize_date',
  'data_erasure_date',
  'created_at',
  'updated_at',
  'alumnized_at',
  'alumni?',
  'active?',
] as const

const SORT = [
  'id',
  'login',
  'email',
  'created_at',
  'updated_at',
  'image',
  'first_name',
  'last_name',
  'pool_year',
  'pool_month',
  'kind',
  'status',
  'usual_first_name',
  'last_seen_at',
  'alumnized_at',
  'anonymized_at',
] as const

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const users = (sealing: Sealing) =>
  resource({
    name: 'users',
    singular: 'user',
    summary: 'A person of the school: student, staff or guest.',
    identifiedBy: 'login',
    fields: {
      id: integer(),
      email: text({ max: 255, pattern: [/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'must look like name@example.org'] }),
      login: text({ pattern: [LOGIN, LOGIN_RULE] }),
      first_name: text({ max: 255 }),
      last_name: text({ max: 255 }),
      usual_full_name: words(['usual_first_name', 'first_name'], 'last_name'),
      usual_first_name: text({ max: 42, ...optional }),
      url: url('/v2/users/:login'),
      phone: masked('phone', 'phone_hidden', 'hidden'),
      displayname: words(['usual_first_name', 'first_name'], 'last_name'),
      kind: choice(['student', 'admin', 'external']),
      image: picture('image'),
      'staff?': isWord('kind', 'admin'),
      correction_point: integer(),
      pool_month: month(optional),
      pool_year: year(optional),
      location: lookup({ table: 'locations', by: 'user_id', column: 'host', whereNull: 'end_at', newest: 'begin_at' }),
      wallet: integer(),
      anonymize_date: zonedDate(optional),
      data_erasure_date: zonedDate(optional),
      created_at: time(),
      updated_at: time(),
      alumnized_at: time(optional),
      'alumni?': isSet('alumnized_at'),
      'active?': isNotSet('closed_at'),
      groups: many('groups', 'record', {
        through: { table: 'groups_users', otherKey: 'group_id' },
        foreignKey: 'user_id',
      }),
      cursus_users: many('cursus_users', 'record', { foreignKey: 'user_id' }),
      projects_users: many('projects_users', 'embedded', { foreignKey: 'user_id' }),
      languages_users: many('languages_users', 'record', { foreignKey: 'user_id', order: 'position' }),
      achievements: many('achievements', 'embedded', {
        through: { table: 'achievements_users', otherKey: 'achievement_id' },
        foreignKey: 'user_id',
      }),
      titles: many('titles', 'record', {
        through: { table: 'titles_users', otherKey: 'title_id' },
        foreignKey: 'user_id',
      }),
      titles_users: many('titles_users', 'record', { foreignKey: 'user_id' }),
      partnerships: many('partnerships', 'record', {
        through: { table: 'partnerships_users', otherKey: 'partnership_id' },
        foreignKey: 'user_id',
      }),
      patroned: many('patronages', 'embedded', { foreignKey: 'user_id' }),
      patroning: many('patronages', 'embedded', { foreignKey: 'godfather_id' }),
      expertises_users: many('expertises_users', 'embedded', { foreignKey: 'user_id' }),
      roles: many('roles', 'embedded', {
        through: { table: 'roles_users', otherKey: 'role_id' },
        foreignKey: 'user_id',
      }),
      campus: many('campus', 'embedded', {
        through: { table: 'campus_users', otherKey: 'campus_id' },
        foreignKey: 'user_id',
      }),
      campus_users: many('campus_users', 'record', { foreignKey: 'user_id' }),
      end_at: fromJoinTable(time(optional)),
      status: text(hiddenOptional),
      last_seen_at: time(hiddenOptional),
      closed_at: time(hiddenOptional),
      anonymized_at: time(hiddenOptional),
      email_stop: boolean({ hidden: true }),
    },
    representations: {
      reference: REFERENCE,
      by_login: ['login', 'id', 'url'],
      short: SHORT,
      in_cursus: [...SHORT, 'end_at'],
    },
    answers: { index: 'short', create: 'reference' },
    index: {
      sort: SORT,
      defaultSort: ['-id'],
      filter: [
        'id',
        'login',
        'email',
        'created_at',
        'updated_at',
        'pool_year',
        'pool_month',
        'kind',
        'status',
        'first_name',
        'last_name',
      ],
      range: ['id', 'login', 'email', 'created_at', 'updated_at', 'pool_year', 'pool_month', 'kind', 'status'],
      scopes: {
        primary_campus_id: whenRelated({
          table: 'campus_users',
          foreignKey: 'user_id',
          otherKey: 'campus_id',
          only: 'is_primary',
        }),
        'alumni?': whenSet('alumnized_at'),
        'staff?': whenWord('kind', 'admin'),
      },
      search: {
        login: ['login'],
        name: ['first_name', 'last_name', 'usual_first_name'],
        first_name: ['first_name', 'usual_first_name'],
        last_name: ['last_name'],
      },
    },
    graph: { fields: ['created_at', 'updated_at'], default: 'created_at' },
    parents: [
      under('campus', through('campus_users', 'user_id', 'campus_id'), { actions: ['index', 'graph'] }),
      under('cursus', through('cursus_users', 'user_id', 'cursus_id'), { representation: 'in_cursus' }),
      under('achievements', through('achievements_users', 'user_id', 'achievement_id')),
      under('titles', through('titles_users', 'user_id', 'title_id')),
      under('groups', through('groups_users', 'user_id', 'group_id')),
      under('expertises', through('expertises_users', 'user_id', 'expertise_id')),
      under('partnerships', through('partnerships_users', 'user_id', 'partnership_id')),
      under('projects', through('projects_users', 'user_id', 'project_id')),
      under('coalitions', through('coalitions_users', 'user_id', 'coalition_id')),
      under('dashes', through('dashes_users', 'user_id', 'dash_id')),
      under('events', { table: 'events_users', foreignKey: 'user_id', otherKey: 'event_id', unless: 'waiting' }),
      under('accreditations', through('accreditations_users', 'user_id', 'accreditation_id')),
      under('quests', through('quests_users', 'user_id', 'quest_id')),
      under('teams', through('teams_users', 'user_id', 'team_id', 'id', 'validated')),
    ],
    views: [{ path: '/v2/staff', filter: ['staff?', 'true'], access: role('Basic Staff') }],
    owner: { path: '/v2/me', representation: 'record' },
    restricted: { whileSet: 'closed_at', access: role('Basic Staff') },
    payload: {
      accepts: [
        'email',
        'login',
        'first_name',
        'last_name',
        'usual_first_name',
        'pool_year',
        'pool_month',
        'kind',
        'status',
        'email_stop',
        'correction_point',
        'wallet',
        'anonymize_date',
        'data_erasure_date',
        'alumnized_at',
        'image',
        'phone',
      ],
      requires: ['email', 'first_name', 'last_name', 'kind'],
      extra: {
        password: { kind: textKind({ max: 1024 }), nullable: true },
        meta: { kind: objectTextKind, nullable: true },
        campus_id: { kind: idKind, nullable: true },
        cursus_id: { kind: idKind, nullable: true },
        skip_welcome_mail: { kind: booleanKind, nullable: true, ignored: true },
        user_candidature_attributes: { kind: objectKind, nullable: true, ignored: true },
      },
      nested: {
        cursus_users_attributes: { resource: 'cursus_users', by: 'user_id' },
        languages_users_attributes: { resource: 'languages_users', by: 'user_id' },
        campus_users_attributes: { resource: 'campus_users', by: 'user_id' },
      },
    },
    actions: {
      index: open,
      show: open,
      create: { access: tutor, perform: createUser(sealing) },
      update: { access: tutor, perform: updateUser(sealing) },
      queryActions: { exam: examOfUser },
    },
  })
