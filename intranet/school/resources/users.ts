import { namesOf } from '@campus/engine/base/narrow'
import { either, open } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import { becomesNull, becomesSet } from '@campus/engine/rest/declare/change-condition'
import type { ListParameters } from '@campus/engine/rest/declare/declaration'
import { bounded, idKind } from '@campus/engine/rest/declare/fields/bounds'
import {
  boolean,
  choice,
  integer,
  month,
  text,
  time,
  year,
  zonedDate,
} from '@campus/engine/rest/declare/fields/columns'
import {
  alwaysNull,
  derived,
  isNotSet,
  isSet,
  isWord,
  joined,
  masked,
  picture,
  pictureAddress,
  sqlInteger,
  sqlText,
  url,
} from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { fromJoinTable, many, only } from '@campus/engine/rest/declare/fields/embeds'
import {
  booleanKind,
  integerKind,
  objectKind,
  objectTextKind,
  textKind,
  timeKind,
} from '@campus/engine/rest/declare/fields/kinds'
import { when, whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { memberAction } from '@campus/engine/rest/declare/member-action'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, literal, sql, table } from '@campus/engine/rest/declare/sql'
import { disableSecondFactor } from '../../access/second-factor.ts'
import { initialsPath, isOfInitials } from '../../services/attachments/initials.ts'
import type { Sealing } from '../../webhooks/sealing.ts'
import { KINDS } from '../domain/accounts/account-kinds.ts'
import { alumnize, dealumnize } from '../domain/accounts/alumni.ts'
import { endFreezes, giveFreePastFreeze } from '../domain/accounts/freezes.ts'
import { LOGIN, LOGIN_RULE } from '../domain/accounts/login.ts'
import { setPrimaryCampus } from '../domain/accounts/primary-campus.ts'
import { createUsers, updateUser } from '../domain/accounts/users.ts'
import { role } from './access.ts'
import { pointActions } from './correction_points.ts'
import { examOfUser } from './exams.ts'
import * as joins from './join-tables.ts'
import { locationsStatsOfUser } from './locations.ts'
import { ignoredParameter, optionalParameter, requiredParameter } from './parameters.ts'
import { email } from './texts.ts'

const tutor = role('Advanced Tutor')
/** Role of staff. It also replaces a role of the published API that only a network of schools has (spec: access 15). */
const director = role('Advanced Staff')

const REFERENCE = ['id', 'login', 'url'] as const

/**
 * Fields that hold lists. Users in lists and in other records do not have them (spec: answers 16). Some clients refuse a
 * missing or an additional key.
 */
const LISTS = {
  groups: described('groups that the user belongs to', many('groups', 'record', { through: joins.groupsUsers })),
  cursus_users: described('courses that the user takes or took part in', many('cursus_users', 'record')),
  projects_users: described('how far the user is with each project', many('projects_users', 'embedded')),
  languages_users: described(
    'languages that the user speaks, the preferred one first',
    many('languages_users', 'record', { order: 'position' }),
  ),
  achievements: described(
    'achievements that the user has won',
    many('achievements', 'embedded', { through: joins.achievementsUsers }),
  ),
  titles: described('titles that the user holds', many('titles', 'record', { through: joins.titlesUsers })),
  titles_users: described('which titles the user holds, and which one is selected', many('titles_users', 'record')),
  partnerships: described(
    'partnerships that the user works on',
    many('partnerships', 'record', { through: joins.partnershipsUsers }),
  ),
  patroned: described('patronages in which the user is looked after', many('patronages', 'embedded')),
  patroning: described(
    'patronages in which the user is the godfather',
    many('patronages', 'embedded', { foreignKey: 'godfather_id' }),
  ),
  expertises_users: described('crafts that the user knows, and how well', many('expertises_users', 'embedded')),
  roles: described('roles that staff gave the user', many('roles', 'embedded', { through: joins.rolesUsers })),
  campus: described('campuses that the user belongs to', many('campus', 'embedded', { through: joins.campusUsers })),
  campus_users: described(
    'how the user belongs to each campus, and which is the primary one',
    many('campus_users', 'record'),
  ),
}

const RANGE = ['id', 'login', 'email', 'created_at', 'updated_at', 'pool_year', 'pool_month', 'kind', 'status'] as const

const INITIALS = {
  columns: ['login', 'usual_first_name', 'first_name', 'last_name'],
  pathOf: (
    login: string | null = null,
    usual: string | null = null,
    first: string | null = null,
    last: string | null = null,
  ) => initialsPath({ login: login ?? '', displayname: `${usual ?? first ?? ''} ${last ?? ''}`.trimEnd() }),
  isOne: isOfInitials,
}

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

/** Columns whose changes are delivered. `revision` grows if a change leaves the other columns unchanged. */
const CALLED_ABOUT = [
  ...['login', 'email', 'first_name', 'last_name', 'phone', 'pool_year', 'pool_month', 'kind', 'status', 'image'],
  ...['password_digest', 'revision'],
]

/** Filters of alumni (spec: accounts 18). */
const OF_CAMPUS: ListParameters = {
  named: {
    campus_id: {
      kind: idKind,
      nullable: false,
      required: true,
      description: 'id of their primary campus',
      example: 1,
      asks: { filter: 'primary_campus_id' },
    },
    alumnized_since: {
      kind: timeKind,
      nullable: true,
      description: 'the day or time since which they became alumni',
      asks: { from: 'alumnized_at' },
    },
  },
}

export const users = (sealing: Sealing) =>
  resource({
    name: 'users',
    alsoNamed: 'user',
    summary: 'A person of the school: student, staff or guest.',
    identifiedBy: 'login',
    large: true,
    recordsRows: true,
    aggregates: {
      groups: [
        ['kind', 'alumnized_at?'],
        ['pool_year', 'pool_month'],
      ],
      times: ['created_at', 'updated_at'],
    },
    fields: {
      id: integer(),
      email: described('e-mail address; a school’s own provider finds the account by it at the first sign-in', email()),
      login: described(
        'name by which the user signs in, which stands for the id in addresses',
        text({ max: 255, anyCase: true, pattern: [LOGIN, LOGIN_RULE] }),
      ),
      first_name: described('first name as on official papers', text({ max: 255, required: true })),
      last_name: described(
        'family name; an empty text if the user has a single name',
        text({ max: 255, required: true, mayBeEmpty: true }),
      ),
      usual_full_name: described(
        'usual first name or else the first name, with the family name',
        joined(['usual_first_name', 'first_name'], 'last_name'),
      ),
      usual_first_name: described(
        'first name that the user goes by; null where it is `first_name`',
        text({ max: 42, ...optional }),
      ),
      url: url('/v2/users/:login'),
      // spec: access 11
      phone: described(
        'telephone number; `hidden` where the user hides it, null where none is known',
        masked('phone', 'phone_hidden', 'hidden'),
      ),
      displayname: described('name that is shown to others', joined(['usual_first_name', 'first_name'], 'last_name')),
      kind: described('whether the user studies, is staff or is from outside', choice(KINDS, { required: true })),
      image: described(
        'portrait, in full and in smaller versions; of who has none, their initials',
        picture('image', INITIALS),
      ),
      'staff?': isWord('kind', 'admin'),
      correction_point: described('evaluation points that the user may spend', integer()),
      pool_month: described('month in which the user was in a piscine, in English', month(optional)),
      pool_year: described('year in which the user was in a piscine, as text', year(optional)),
      location: described(
        'host at which the user sits now; null while they are logged in nowhere',
        sqlText(
          sql`(select host from ${table('locations')} where user_id = ${column('id')} and end_at is null order by begin_at desc limit 1)`,
        ),
      ),
      wallet: described('points that the user may spend in the shop', integer()),
      anonymize_date: described('day on which personal data are to be made anonymous', zonedDate(optional)),
      data_erasure_date: described('day on which personal data are to be erased', zonedDate(optional)),
      created_at: time(),
      updated_at: time(),
      alumnized_at: described('when the user became an alumnus; null before', time(optional)),
      'alumni?': isSet('alumnized_at'),
      'active?': isNotSet('closed_at'),
      ...LISTS,
      end_at: described('when the part in the cursus ends; null while no end is set', fromJoinTable(time(optional))),
      status: described('what staff note about where the user stands', text(hiddenOptional)),
      last_seen_at: described('when the user was last seen; null where that is not known', time(hiddenOptional)),
      closed_at: described('when the account was closed; null while it is open', time(hiddenOptional)),
      anonymized_at: described('when personal data were made anonymous; null before', time(hiddenOptional)),
      correction_points: described('the same as `correction_point`', {
        ...sqlInteger(column('correction_point')),
        hidden: true,
      }),
      email_stop: described('whether the user gets no e-mail from the school', boolean({ hidden: true })),
    },
    webhook: {
      adds: {
        birth_date: alwaysNull,
        alumnized_cursus_user: described(
          'id of the latest cursus_user; null where there is none',
          sqlInteger(sql`(select max(id) from ${table('cursus_users')} where user_id = ${column('id')})`),
        ),
      },
      besides: 'short',
      embedded: { image_url: pictureAddress(text({ column: 'image', nullable: true })) },
    },
    representations: {
      reference: REFERENCE,
      minimal: ['id', 'login'],
      by_login: ['login', 'id', 'url'],
      short: { except: namesOf(LISTS) },
      giver: ['id', 'first_name', 'last_name', 'usual_first_name', 'email', 'login', 'correction_points'],
      in_cursus: { except: namesOf(LISTS), and: ['end_at'] },
    },
    answers: { index: 'short', create: 'reference' },
    index: {
      sort: {
        except: [
          'phone',
          'correction_point',
          'wallet',
          'anonymize_date',
          'data_erasure_date',
          'closed_at',
          'email_stop',
        ],
      },
      defaultSort: ['-id'],
      filter: [...RANGE, 'first_name', 'last_name'],
      range: RANGE,
      customFilters: {
        primary_campus_id: described(
          'whose primary campus is one of these',
          whenRelated(through(joins.campusUsers, 'campus', { only: 'is_primary' })),
        ),
        'alumni?': whenSet('alumnized_at'),
        'staff?': described('whose `kind` is `admin`', when(sql`${column('kind')} = ${literal('admin')}`)),
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
    searched: { access: role('42network'), representation: 'minimal' },
    views: [
      { path: '/v2/staff', filter: ['staff?', 'true'], access: either(role('Basic Staff'), role('42network')) },
      { path: '/v2/alumnized_users', filter: ['alumni?', 'true'], access: tutor, parameters: OF_CAMPUS },
    ],
    owner: { path: '/v2/me', representation: 'record' },
    // spec: access 12
    restricted: { whileSet: 'closed_at', access: role('Basic Staff') },
    payload: {
      alsoCalled: {
        email: ['mail', 'e_mail', 'email_address', 'courriel', 'adresse_e_mail', 'adresse_electronique'],
        login: ['username', 'user_name', 'account', 'identifiant', 'nom_d_utilisateur'],
        first_name: ['given_name', 'forename', 'prenom'],
        last_name: ['surname', 'family_name', 'nom', 'nom_de_famille'],
        usual_first_name: ['prenom_usuel', 'prenom_d_usage'],
        pool_year: ['annee_de_piscine'],
        pool_month: ['mois_de_piscine'],
        kind: ['statut', 'type_de_compte'],
      },
      accepts: { except: ['last_seen_at', 'closed_at', 'anonymized_at'] },
      extra: {
        password: optionalParameter(
          'new password in clear; stored as a digest and passed on once to webservices',
          textKind({ max: 1024 }),
        ),
        meta: optionalParameter(
          'JSON that is passed on once to the webservices of the campuses and not stored',
          objectTextKind,
        ),
        campus_id: {
          kind: idKind,
          nullable: true,
          description: 'id of the campus that becomes the primary one of the user',
          rowEquals: (user, id) =>
            `exists (select from campus_users m where m.user_id = ${user}.id and m.campus_id = ${id} and m.is_primary)`,
        },
        cursus_id: {
          kind: idKind,
          nullable: true,
          description: 'id of a cursus that the user enters now',
          rowEquals: (user, id) =>
            `exists (select from cursus_users c where c.user_id = ${user}.id and c.cursus_id = ${id})`,
        },
        skip_welcome_mail: ignoredParameter('ignored; the service sends no welcome mail', booleanKind),
        user_candidature_attributes: ignoredParameter(
          'ignored; the service keeps no applications for a place',
          objectKind,
        ),
      },
      nested: {
        cursus_users_attributes: { resource: 'cursus_users' },
        languages_users_attributes: { resource: 'languages_users' },
        campus_users_attributes: { resource: 'campus_users' },
      },
    },
    events: {
      alumnisation: becomesSet('alumnized_at', 'The user is an alumnus.'),
      dealumnisation: becomesNull('alumnized_at', 'The user is no alumnus any more.'),
      close: becomesSet('closed_at', 'The account is closed.'),
      unclose: becomesNull('closed_at', 'The last close is lifted, and the account open again.'),
    },
    calls: {
      name: 'login',
      on: {
        created: { changes: ['create'] },
        updated: { columns: CALLED_ABOUT },
        unclosed: { changes: ['unclose'], isBare: true },
      },
      record: {
        uid: text({ column: 'login' }),
        login: text(),
        id: integer(),
        email: text(),
        created_at: time(),
        updated_at: time(),
        image_url: derived(['image'], ([link]) => link?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '') ?? null),
        first_name: text(),
        last_name: text(),
        phone: text(optional),
        pool_year: text(optional),
        pool_month: text(optional),
        kind: text(),
        status: text(optional),
        campus: many('campus', 'webservice', { through: joins.campusUsers }),
        primary_campus: only(many('campus', 'webservice', { through: joins.primaryCampusUsers })),
      },
    },
    actions: {
      index: open,
      show: open,
      create: { access: tutor, performAll: createUsers(sealing) },
      update: { access: tutor, perform: updateUser(sealing) },
      members: {
        ...pointActions,
        free_past_agu: memberAction({
          access: director,
          description: 'gives a free pause in the past, by which the black hole moves away',
          method: 'POST',
          unwrapped: true,
          accepts: {
            duration: requiredParameter(
              'days by which the black hole moves away',
              bounded(integerKind, { min: 1, max: 3650, unit: 'days' }),
            ),
            reason: optionalParameter('why it is given', textKind({ max: 2048 })),
          },
          respond: giveFreePastFreeze,
          schema: (schemaOf) => schemaOf('anti_grav_units_users', 'record'),
        }),
        unfreeze: {
          access: director,
          description: 'ends the pauses that go on',
          method: 'POST',
          perform: endFreezes,
        },
        set_primary_campus: memberAction({
          access: director,
          description: 'makes a campus the primary one of the user',
          method: 'POST',
          unwrapped: true,
          accepts: {
            campus_id: requiredParameter('id of the campus', idKind),
          },
          perform: setPrimaryCampus,
        }),
        alumnize: { access: director, description: 'makes the user an alumnus', method: 'POST', perform: alumnize },
        dealumnize: {
          access: director,
          description: 'makes the user no alumnus any more',
          method: 'POST',
          perform: dealumnize,
        },
        'otp_settings/remove': {
          access: director,
          description: 'switches the second factor of the user off, passkeys included',
          method: 'DELETE',
          perform: disableSecondFactor,
        },
      },
      queryActions: { exam: examOfUser, locations_stats: locationsStatsOfUser },
    },
  })
