import { LOGIN, LOGIN_RULE } from '../domain/login.ts'
import { createUser, updateUser } from '../domain/users.ts'
import { open, role } from '../rest/declare/access.ts'
import { through } from '../rest/declare/association.ts'
import { idKind } from '../rest/declare/fields/bounds.ts'
import { boolean, choice, integer, month, text, time, year, zonedDate } from '../rest/declare/fields/columns.ts'
import { isNotSet, isSet, isWord, lookup, masked, picture, url, words } from '../rest/declare/fields/computed.ts'
import { fromJoinTable, many } from '../rest/declare/fields/embeds.ts'
import { booleanKind, objectKind, objectTextKind, textKind } from '../rest/declare/fields/kinds.ts'
import { whenRelated, whenSet, whenWord } from '../rest/declare/filters.ts'
import { resource, under } from '../rest/declare/resource.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import { examOfUser } from './exams.ts'
import * as joins from './join-tables.ts'

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

const RANGE = ['id', 'login', 'email', 'created_at', 'updated_at', 'pool_year', 'pool_month', 'kind', 'status'] as const

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
      groups: many('groups', 'record', { through: joins.groupsUsers }),
      cursus_users: many('cursus_users', 'record'),
      projects_users: many('projects_users', 'embedded'),
      languages_users: many('languages_users', 'record', { order: 'position' }),
      achievements: many('achievements', 'embedded', { through: joins.achievementsUsers }),
      titles: many('titles', 'record', { through: joins.titlesUsers }),
      titles_users: many('titles_users', 'record'),
      partnerships: many('partnerships', 'record', { through: joins.partnershipsUsers }),
      patroned: many('patronages', 'embedded'),
      patroning: many('patronages', 'embedded', { foreignKey: 'godfather_id' }),
      expertises_users: many('expertises_users', 'embedded'),
      roles: many('roles', 'embedded', { through: joins.rolesUsers }),
      campus: many('campus', 'embedded', { through: joins.campusUsers }),
      campus_users: many('campus_users', 'record'),
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
      filter: [...RANGE, 'first_name', 'last_name'],
      range: RANGE,
      scopes: {
        primary_campus_id: whenRelated(through(joins.campusUsers, 'campus', { only: 'is_primary' })),
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
      under('campus', { through: joins.campusUsers, actions: ['index', 'graph'] }),
      under('cursus', { through: joins.cursusUsers, representation: 'in_cursus' }),
      under('achievements', { through: joins.achievementsUsers }),
      under('titles', { through: joins.titlesUsers }),
      under('groups', { through: joins.groupsUsers }),
      under('expertises', { through: joins.expertisesUsers }),
      under('partnerships', { through: joins.partnershipsUsers }),
      under('projects', { through: joins.projectsUsers }),
      under('coalitions', { through: joins.coalitionsUsers }),
      under('dashes', { through: joins.dashesUsers }),
      under('events', { through: joins.attendees }),
      under('accreditations', { through: joins.accreditationsUsers }),
      under('quests', { through: joins.questsUsers }),
      under('teams', { through: joins.teamMembers }),
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
        cursus_users_attributes: { resource: 'cursus_users' },
        languages_users_attributes: { resource: 'languages_users' },
        campus_users_attributes: { resource: 'campus_users' },
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
