import { slugOf } from '@campus/engine/base/text/slugs'
import { drawingPath } from '../drawing-path.ts'
import type { Origin } from './names.ts'
import type { World } from './world.ts'

export type Campus = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly timeZone: string
  readonly languageId: number
  /** Share of the school's people. */
  readonly share: number
  readonly origin: Origin
  readonly phonePrefix: string
  readonly place: { readonly country: string; readonly address: string; readonly zip: string }
}

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
    name: 'Grenoble',
    slug: 'grenoble',
    timeZone: 'Europe/Paris',
    languageId: 1,
    share: 0.45,
    origin: 'french',
    phonePrefix: '+3363998',
    place: { country: 'France', address: '12 rue des Alpes', zip: '38000' },
  },
  {
    id: 2,
    name: 'Recife',
    slug: 'recife',
    timeZone: 'America/Recife',
    languageId: 3,
    share: 0.3,
    origin: 'brazilian',
    phonePrefix: '+55819000',
    place: { country: 'Brazil', address: 'Rua da Aurora, 860', zip: '50050-000' },
  },
  {
    id: 3,
    name: 'Adelaide',
    slug: 'adelaide',
    timeZone: 'Australia/Adelaide',
    languageId: 2,
    share: 0.25,
    origin: 'australian',
    phonePrefix: '+6149157',
    place: { country: 'Australia', address: '25 Currie Street', zip: '5000' },
  },
]

export const CORE = 1
export const ENTRY_POOL = 2
export const DISCOVERY = 3
export const DATA_ENGINEERING = 4

const CURSUS = [
  { name: 'Core Curriculum', slug: 'core', kind: 'main' },
  { name: 'Entry Pool', slug: 'entry-pool', kind: 'piscine' },
  { name: 'Discovery Programme', slug: 'discovery-programme', kind: 'external' },
  { name: 'Data Engineering', slug: 'data-engineering', kind: 'professional_training' },
  { name: 'Former Curriculum', slug: 'former-curriculum', kind: 'main_deprecated' },
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

/** Languages, campuses with their webservices, cursus and skills. */
export async function seedSchool(world: World): Promise<void> {
  const languages = LANGUAGES.map(([name, identifier]) => ({ name, identifier }))
  await world.insert('languages', languages)
  const endpoints = CAMPUSES.map(({ name, slug }) => ({
    // Address of `campus receiver`.
    url: `https://localhost:8444/${slug}/`,
    description: `The user store of the ${name} campus`,
    active: false,
  }))
  await world.insert('endpoints', endpoints)
  await world.insert('campus', CAMPUSES.map(campusRow))
  const cursus = CURSUS.map((row) => {
    const isFormer = row.kind === 'main_deprecated'
    return { ...row, restricted: isFormer, is_subscriptable: !isFormer }
  })
  await world.insert('cursus', cursus)
  const skills = SKILLS.map((name) => ({ name, slug: slugOf(name) }))
  await world.insert('skills', skills)
}

const campusRow = ({ id, name, slug, timeZone, languageId, place }: Campus) => ({
  ...place,
  name,
  slug,
  display_name: `${name} Campus`,
  city: name,
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
})
