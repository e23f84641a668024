import { knownTimeZone, TIME_ZONE_RULE } from '@campus/engine/base/time-zones'
import { open, permit } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, slug, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { countOf } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource } from '@campus/engine/rest/declare/resource'
import { authorizeCampus } from '../../access/powers.ts'
import { endAllLocations } from '../domain/school/locations.ts'
import { role } from './access.ts'
import { statsOfCampus } from './campus-stats.ts'
import * as joins from './join-tables.ts'

const staff = role('Advanced Staff')
const optional = { nullable: true } as const
const hidden = { hidden: true } as const
const hiddenOptional = { hidden: true, nullable: true } as const

export const campus = resource({
  name: 'campus',
  singular: 'campus',
  summary: 'A place of the school: its people, its seats, its time zone and language.',
  identifiedBy: 'slug',
  cachedInMemory: true,
  timeZone: 'time_zone',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    time_zone: described('IANA name of the time zone that its days are counted in', text({ max: 64, required: true })),
    language: one('languages', 'record'),
    users_count: described('number of users who belong to it', countOf(joins.campusUsers)),
    vogsphere_id: described('id of its Git server; null where it has none', integer({ min: 0, ...optional })),
    country: described('country of its postal address', text(optional)),
    address: described('street and number of its postal address', text(optional)),
    zip: described('postal code of its address', text(optional)),
    city: described('town of its postal address', text(optional)),
    website: described('address of its own website', text(optional)),
    facebook: described('its page on Facebook', text(optional)),
    twitter: described('its account on Twitter', text(optional)),
    active: described('whether it is in use', boolean()),
    public: described('whether it is meant to be shown to everybody', boolean()),
    email_extension: described('domain of its e-mail addresses, without the @', text(optional)),
    default_hidden_phone: described('whether phone numbers of its users begin hidden', boolean()),
    endpoint: one('endpoints', 'embedded'),
    ...timestamps(hidden),
    language_id: reference('languages', { ...hidden, required: true }),
    slug: slug({ hidden: true }),
    main_email: described('e-mail address for general questions', text(hiddenOptional)),
    endpoint_id: reference('endpoints', hiddenOptional),
    content_email: described('e-mail address for questions on content', text(hiddenOptional)),
    time_of_community_service_started: described('time of day at which community services begin', text(hiddenOptional)),
    companies_mail: described('e-mail address for companies', text(hiddenOptional)),
    pro_needs_validation: described('whether companies must be validated before they post offers', boolean(hidden)),
    logo: described('address of its logo', text(hiddenOptional)),
    display_name: described('name that is shown to people, where it is not `name`', text(hiddenOptional)),
    help_url: described('address of its help pages', text(hiddenOptional)),
    open_to_job_offers: described('whether its students may be shown job offers', boolean(hidden)),
    tig_email: described('e-mail address for community services', text(hiddenOptional)),
    minimum_slot_duration: described(
      'shortest time that users may offer for evaluations, in minutes',
      integer({ min: 0, ...hiddenOptional }),
    ),
    alumni_system: described('whether its students become alumni', boolean(hidden)),
    manual_alumnization_before_first_internship: described(
      'whether staff may make alumni of students before their first internship',
      boolean(hidden),
    ),
  },
  representations: {
    webservice: [
      'id',
      'name',
      'created_at',
      'updated_at',
      'time_zone',
      'language_id',
      'slug',
      'main_email',
      'endpoint_id',
      'vogsphere_id',
    ],
    short: ['id', 'name', 'time_zone', 'language', 'users_count'],
    embedded: { except: ['endpoint'] },
  },
  payload: {
    slugFrom: 'name',
    checks: { campus_minimum_slot_duration_check: ['minimum_slot_duration', 'must be from 15 to 1440 minutes'] },
    rules: { time_zone: (value) => (knownTimeZone(value) ? undefined : TIME_ZONE_RULE) },
  },
  authorize: authorizeCampus,
  dependents: {
    deleted: [
      ...['journals.campus_id', 'kiosks.campus_id', 'seat_plans.campus_id'],
      ...['second_factor_requirements.campus_id', 'webhooks.campus_id'],
    ],
  },
  actions: {
    ...permit({ read: open, write: staff }),
    members: {
      'locations/end_all': {
        access: staff,
        description: 'ends every open location of the campus',
        method: 'DELETE',
        perform: endAllLocations,
      },
    },
    queryActions: { stats: statsOfCampus },
  },
})
