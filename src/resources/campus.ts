import { open, role } from '../rest/access.ts'
import { boolean, integer, reference, slug, text, time } from '../rest/fields/columns.ts'
import { countOf } from '../rest/fields/computed.ts'
import { one } from '../rest/fields/embeds.ts'
import { knownTimeZone, TIME_ZONE_RULE } from '../rest/graph.ts'
import { resource } from '../rest/resource.ts'

const staff = { access: role('Advanced Staff') }
const optional = { nullable: true } as const
const hidden = { hidden: true } as const
const kept = { hidden: true, nullable: true } as const

export const campus = resource({
  name: 'campus',
  singular: 'campus',
  summary: 'A place of the school: its people, its seats, its time zone and language.',
  identifiedBy: 'slug',
  keptInMemory: true,
  timeZone: 'time_zone',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    time_zone: text({ max: 64 }),
    language: one('languages', 'record', { by: 'language_id' }),
    users_count: countOf('campus_users', 'campus_id'),
    vogsphere_id: integer({ min: 0, ...optional }),
    country: text(optional),
    address: text(optional),
    zip: text(optional),
    city: text(optional),
    website: text(optional),
    facebook: text(optional),
    twitter: text(optional),
    active: boolean(),
    public: boolean(),
    email_extension: text(optional),
    default_hidden_phone: boolean(),
    endpoint: one('endpoints', 'embedded', { by: 'endpoint_id', nullable: true }),
    created_at: time(hidden),
    updated_at: time(hidden),
    language_id: reference('languages', hidden),
    slug: slug({ hidden: true }),
    main_email: text(kept),
    endpoint_id: reference('endpoints', kept),
    content_email: text(kept),
    time_of_community_service_started: text(kept),
    companies_mail: text(kept),
    pro_needs_validation: boolean(hidden),
    logo: text(kept),
    display_name: text(kept),
    help_url: text(kept),
    open_to_job_offers: boolean(hidden),
    tig_email: text(kept),
    minimum_slot_duration: integer({ min: 0, ...kept }),
    alumni_system: boolean(hidden),
    manual_alumnization_before_first_internship: boolean(hidden),
  },
  forms: {
    short: ['id', 'name', 'time_zone', 'language', 'users_count'],
    embedded: [
      ...(['id', 'name', 'time_zone', 'language', 'users_count', 'vogsphere_id', 'country', 'address', 'zip'] as const),
      ...(['city', 'website', 'facebook', 'twitter', 'active', 'public', 'email_extension'] as const),
      'default_hidden_phone',
    ],
  },
  index: {
    sort: [
      ...(['id', 'name', 'created_at', 'updated_at', 'time_zone', 'language_id', 'slug', 'main_email'] as const),
      ...(['endpoint_id', 'vogsphere_id', 'content_email', 'time_of_community_service_started'] as const),
      ...(['companies_mail', 'address', 'zip', 'city', 'country', 'pro_needs_validation', 'logo', 'website'] as const),
      ...(['facebook', 'twitter', 'display_name', 'email_extension', 'help_url', 'active'] as const),
      ...(['open_to_job_offers', 'default_hidden_phone', 'tig_email', 'minimum_slot_duration'] as const),
      ...(['alumni_system', 'manual_alumnization_before_first_internship', 'public'] as const),
    ],
    defaultSort: ['-id'],
  },
  payload: {
    accepts: [
      ...(['name', 'slug', 'time_zone', 'language_id', 'endpoint_id', 'vogsphere_id', 'country', 'address'] as const),
      ...(['zip', 'city', 'website', 'facebook', 'twitter', 'active', 'public', 'email_extension'] as const),
      ...(['default_hidden_phone', 'main_email', 'content_email', 'time_of_community_service_started'] as const),
      ...([
        'companies_mail',
        'pro_needs_validation',
        'logo',
        'display_name',
        'help_url',
        'open_to_job_offers',
      ] as const),
      ...(['tig_email', 'minimum_slot_duration', 'alumni_system'] as const),
      'manual_alumnization_before_first_internship',
    ],
    requires: ['name', 'time_zone', 'language_id'],
    slugFrom: 'name',
    checks: { campus_minimum_slot_duration_check: ['minimum_slot_duration', 'must be from 15 to 1440 minutes'] },
    rules: { time_zone: (value) => (knownTimeZone(value) ? undefined : TIME_ZONE_RULE) },
  },
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})
