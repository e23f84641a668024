import { message } from '@campus/engine/base/languages/say'
import { open, permit } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import { isCurrent } from '@campus/engine/rest/declare/association-sql'
import {
  boolean,
  choice,
  float,
  integer,
  reference,
  slug,
  text,
  textOrEmpty,
  time,
  timestamps,
} from '@campus/engine/rest/declare/fields/columns'
import { addressOf, idsOf } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import {
  visibleToRole,
  when,
  whenCurrent,
  whenRelated,
  whenRelatedByName,
  whenSet,
} from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, sql } from '@campus/engine/rest/declare/sql'
import { role } from './access.ts'
import * as joins from './join-tables.ts'
import { email } from './texts.ts'

const companies = role('Companies Manager')

const CONTRACTS = [
  ...['freelance', 'apprentice_ship', 'cdd', 'cdi', 'stage'],
  ...['cdd_partiel', 'cdi_partiel', 'stage_partiel', 'crea_startup'],
]

const optional = { nullable: true } as const
const months = { min: 0, max: 1200, unit: 'months' } as const
const ofExpertises = through(joins.offersExpertises, 'expertises')

export const offers = resource({
  name: 'offers',
  summary: 'Work that a company offers to students and alumni.',
  fields: {
    id: integer(),
    title: described('what the work is called', text({ max: 255, required: true })),
    little_description: described('what it is about, in a sentence', text({ max: 140, required: true })),
    big_description: described('what it is about, at length', text({ required: true })),
    salary: described('what it pays, in words; an empty text where nothing is said', textOrEmpty({ max: 255 })),
    contract_type: described('what sort of contract it is', choice(CONTRACTS, { required: true })),
    email: described('where to apply', email()),
    full_address: described('address of the work on one line', addressOf(['address', ['zip', 'city'], 'country'])),
    address: described('street and number of the work', text({ max: 255, required: true })),
    city: described('city of the work', text({ max: 255, required: true })),
    zip: described('postal code of the work', text({ max: 32, required: true })),
    country: described('country of the work', text({ max: 255, required: true })),
    latitude: described('degrees north of the equator', float({ min: -90, max: 90, unit: 'degrees', ...optional })),
    longitude: described('degrees east of Greenwich', float({ min: -180, max: 180, unit: 'degrees', ...optional })),
    valid_at: described('when it begins to be shown', time({ required: true })),
    invalid_at: described('when it ends to be shown', time({ required: true })),
    min_duration: described('shortest time that it lasts, in months', integer({ ...months, required: true })),
    max_duration: described(
      'longest time that it lasts, in months; null without an end',
      integer({ ...months, ...optional }),
    ),
    document: described('address of a document about it', text({ max: 2048, ...optional })),
    slug: described('its title in plain letters; several offers may have the same', slug()),
    target: described('whom it is for', choice(['student', 'student_and_alumni'], { required: true })),
    pro_id: described(
      'id of the professional who offers it, at the school’s companies',
      integer({ min: 1, ...optional }),
    ),
    company_id: described(
      'id of the company that offers it, at the school’s companies',
      integer({ min: 1, ...optional }),
    ),
    expertise_ids: described(
      'ids of the crafts that it asks for',
      idsOf('expertises', { through: joins.offersExpertises }),
    ),
    campus_ids: described(
      'ids of the campuses that it is shown at; empty for all',
      idsOf('campus', { through: joins.offersCampus }),
    ),
    ...timestamps(),
    reported: described('whether somebody found fault with it', boolean({ hidden: true })),
  },
  representations: {
    embedded: ['id', 'title', 'little_description', 'contract_type', 'slug', 'valid_at', 'invalid_at'],
  },
  index: {
    sort: { except: ['reported'] },
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      expertise_id: described('that ask for one of these crafts', whenRelated(ofExpertises)),
      expertise: described(
        'that ask for one of the crafts of these names',
        whenRelatedByName('expertises', ofExpertises),
      ),
      campus_id: described(
        'that are shown at one of these campuses',
        whenRelated(through(joins.offersCampus, 'campus')),
      ),
      user_id: described(
        'to which one of these users has applied; of others only for Companies Managers',
        visibleToRole(role('Companies Manager'), whenRelated(through(joins.offersUsers, 'users'))),
      ),
      reported: described('that somebody found fault with', when(column('reported'))),
      valid: whenCurrent('valid_at', 'invalid_at'),
      invalid: described(
        'with now before `valid_at` or after `invalid_at`',
        when(sql`not ${isCurrent('valid_at', 'invalid_at')}`),
      ),
    },
  },
  payload: {
    links: { expertise_ids: joins.offersExpertises, campus_ids: joins.offersCampus },
    slugFrom: 'title',
    checks: {
      offers_invalid_at_check: ['invalid_at', message('must be after {field}', { field: 'valid_at' })],
      offers_max_duration_check: ['max_duration', message('must not be below {field}', { field: 'min_duration' })],
    },
  },
  dependents: { deleted: ['offers_campus.offer_id', 'offers_expertises.offer_id'] },
  actions: permit({ read: open, write: companies }),
})

export const offersUsers = resource({
  name: 'offers_users',
  summary: 'A user has applied for an offer.',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    offer_id: reference('offers', { required: true }),
    user_id: reference('users', { required: true }),
    validated_at: described('when the application was let through to the company; null before', time(optional)),
    ...timestamps(),
    user: one('users', 'reference'),
    offer: one('offers', 'embedded'),
  },
  index: {
    defaultSort: ['-created_at', '-id'],
    customFilters: { validated: whenSet('validated_at') },
  },
  parents: [under('offers'), under('users')],
  actions: permit({ read: companies, write: companies }),
})
