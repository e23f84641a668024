import { defined } from '@campus/engine/base/defined'
import { drawingPath } from '../drawing-path.ts'
import type { Origin } from './names.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

export type Campus = {
  readonly id: number
  readonly slug: string
  readonly timeZone: string
  readonly languageId: number
  /** Share of the school's people. */
  readonly share: number
  readonly origin: Origin
  /** The first digits of its people's telephone numbers. */
  readonly phonePrefix: string
}

/** How long the school has existed. */
const OPEN_SINCE_DAYS = 4.4 * 365

export const openedAt = (now: number): number => toSecond(now - OPEN_SINCE_DAYS * DAY)

const LANGUAGES = [
  ['French', 'fr'],
  ['English', 'en'],
  ['Portuguese', 'pt'],
  ['Spanish', 'es'],
  ['German', 'de'],
] as const

export const CAMPUSES: readonly Campus[] = [
  {
    id: 1,
    slug: 'grenoble',
    timeZone: 'Europe/Paris',
    languageId: 1,
    share: 0.45,
    origin: 'french',
    phonePrefix: '+3363998',
  },
  {
    id: 2,
    slug: 'recife',
    timeZone: 'America/Recife',
    languageId: 3,
    share: 0.3,
    origin: 'brazilian',
    phonePrefix: '+55819000',
  },
  {
    id: 3,
    slug: 'adelaide',
    timeZone: 'Australia/Adelaide',
    languageId: 2,
    share: 0.25,
    origin: 'australian',
    phonePrefix: '+6149157',
  },
]

const ADDRESSES = [
  { name: 'Grenoble', country: 'France', address: '12 rue des Alpes', zip: '38000' },
  { name: 'Recife', country: 'Brazil', address: 'Rua da Aurora, 860', zip: '50050-000' },
  { name: 'Adelaide', country: 'Australia', address: '25 Currie Street', zip: '5000' },
]

export const CORE = 1
export const ENTRY_POOL = 2
export const DISCOVERY = 3
export const DATA_ENGINEERING = 4

const CURSUS = [
  { id: CORE, name: 'Core Curriculum', slug: 'core', kind: 'main' },
  { id: ENTRY_POOL, name: 'Entry Pool', slug: 'entry-pool', kind: 'piscine' },
  { id: DISCOVERY, name: 'Discovery Programme', slug: 'discovery-programme', kind: 'external' },
  { id: DATA_ENGINEERING, name: 'Data Engineering', slug: 'data-engineering', kind: 'professional_training' },
  { id: 5, name: 'Former Curriculum', slug: 'former-curriculum', kind: 'main_deprecated' },
]

export const SKILLS = [
  'Algorithms',
  'Databases',
  'Functional programming',
  'Graphics',
  'Imperative programming',
  'Networks',
  'Object-oriented programming',
  'Rigour',
  'Security',
  'System administration',
  'Teamwork',
  'Web',
]

/** The school without users: languages, campuses with their webservices, cursus and skills. */
export async function seedSchool(world: World): Promise<void> {
  const opened = openedAt(world.now)
  const times = { created_at: opened, updated_at: opened }
  await world.insert(
    'languages',
    LANGUAGES.map(([name, identifier], index) => ({ id: index + 1, name, identifier, ...times })),
  )
  await seedCampuses(world, times)
  await world.insert(
    'cursus',
    CURSUS.map((cursus) => {
      const isFormer = cursus.kind === 'main_deprecated'
      return { ...cursus, restricted: isFormer, is_subscriptable: !isFormer, ...times }
    }),
  )
  await world.insert(
    'skills',
    SKILLS.map((name, index) => ({ id: index + 1, name, slug: slugOf(name), ...times })),
  )
}

const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z]+/g, '-')

async function seedCampuses(world: World, times: { created_at: number; updated_at: number }): Promise<void> {
  await world.insert(
    'endpoints',
    CAMPUSES.map(({ id, slug }, index) => ({
      id,
      // Where `campus receiver` listens: nothing outside of this machine is called.
      url: `https://localhost:8444/${slug}/`,
      description: `The user store of the ${ADDRESSES[index]?.name} campus`,
      active: false,
      ...times,
    })),
  )
  await world.insert(
    'campus',
    CAMPUSES.map(({ id, slug, timeZone, languageId }, index) => {
      const place = defined(ADDRESSES[index])
      return {
        id,
        slug,
        ...place,
        display_name: `${place.name} Campus`,
        city: place.name,
        time_zone: timeZone,
        language_id: languageId,
        endpoint_id: id,
        vogsphere_id: id,
        website: `https://www.${slug}.example`,
        facebook: `https://social.example/${slug}`,
        twitter: `https://short.example/${slug}`,
        logo: drawingPath('campus', slug),
        help_url: `https://help.${slug}.example`,
        main_email: `contact@${slug}.example`,
        content_email: `pedagogy@${slug}.example`,
        companies_mail: `companies@${slug}.example`,
        tig_email: `community@${slug}.example`,
        email_extension: `${slug}.example`,
        alumni_system: true,
        time_of_community_service_started: '09:00',
        minimum_slot_duration: 30,
        ...times,
      }
    }),
  )
}
