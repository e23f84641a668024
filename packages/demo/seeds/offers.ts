import { defined } from '@campus/engine/base/defined'
import { withIds } from './bulk-insert.ts'
import { numbered } from './campus-life/times.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CAMPUSES } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Title, a sentence, contract, salary for a month, whom it is for, and the numbers of the crafts that it asks for. */
const WORK = [
  ['Engineer for river sensors', 'Measures water, wind and patience.', 'stage', 900, 'student', [1, 9]],
  ['Web developer', 'Builds what the shop next door sells with.', 'cdi', 3100, 'student_and_alumni', [2, 6]],
  ['Data gardener', 'Sows, weeds and harvests tables.', 'apprentice_ship', 1100, 'student', [3, 7]],
  ['Keeper of servers', 'Listens when they hum.', 'cdd', 2400, 'student_and_alumni', [9, 10]],
  ['Author of compilers', 'Reads code aloud, and writes it down again.', 'stage', 1200, 'student', [1, 4]],
  ['Drawer of interfaces', 'Makes buttons that people find.', 'freelance', null, 'student_and_alumni', [6, 12]],
] as const

const PLACES = [
  { address: '4 quai du Drac', zip: '38000', city: 'Grenoble', country: 'France', latitude: 45.19, longitude: 5.72 },
  {
    address: 'Rua do Sol, 12',
    zip: '50050-100',
    city: 'Recife',
    country: 'Brazil',
    latitude: -8.06,
    longitude: -34.88,
  },
  { address: '7 Rundle Mall', zip: '5000', city: 'Adelaide', country: 'Australia', latitude: -34.92, longitude: 138.6 },
] as const
const CURRENCIES = ['EUR', 'BRL', 'AUD'] as const
const COMPANIES = ['Drac & Co', 'Sol Nascente', 'Torrens Works'] as const

const OLDEST_DAYS = 400
const SHOWN_DAYS = 120
const EXPERIENCE = 250 * DAY
const MONTHS = 4
const WEEK = '["monday","tuesday","wednesday","thursday","friday"]'

/** What companies around the campuses offer, who has applied, and the internships that came of it. */
export async function seedOffers(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('offers')
  const offers = numbered(CAMPUSES.flatMap(({ id }) => planOffers(chance, id, world.now)))
  await world.insert(
    'offers',
    offers.map(({ campus_id, crafts, monthly, ...row }) => row),
  )
  const crafts = offers.flatMap(({ id, crafts }) => crafts.map((expertise_id) => ({ offer_id: id, expertise_id })))
  await world.insert('offers_expertises', withIds(crafts))
  await world.insert('offers_campus', withIds(offers.map(({ id, campus_id }) => ({ offer_id: id, campus_id }))))
  const applications = numbered(offers.flatMap((offer) => applicationsFor(chance, offer, people, world.now)))
  await world.insert('offers_users', applications)
  const byId = new Map(offers.map((offer) => [offer.id, offer]))
  const taken = applications.filter(({ validated_at }) => validated_at !== null && chance.chance(0.5))
  const rows = numbered(
    taken.map((application) => internshipOf(application, defined(byId.get(application.offer_id)), people, world.now)),
  )
  await world.insert('internships', rows)
}

type Offer = ReturnType<typeof planOffers>[number] & { readonly id: number }
type Application = ReturnType<typeof applicationsFor>[number]

function planOffers(chance: Random, campus_id: number, now: number) {
  return WORK.map(([title, little_description, contract_type, salary, target, crafts]) => {
    const valid_at = toSecond(now - chance.integer(0, OLDEST_DAYS) * DAY)
    const place = defined(PLACES[campus_id - 1])
    return {
      campus_id,
      crafts,
      title,
      little_description,
      big_description: `${little_description}\n\nYou work with two others, and are asked what you think.`,
      salary: salary === null ? null : `${salary} ${CURRENCIES[campus_id - 1]} a month`,
      monthly: salary,
      contract_type,
      email: `work@${place.city.toLowerCase()}.example.org`,
      ...place,
      valid_at,
      invalid_at: valid_at + SHOWN_DAYS * DAY,
      min_duration: MONTHS,
      max_duration: contract_type === 'cdi' ? null : MONTHS + 2,
      slug: title.toLowerCase().replaceAll(' ', '-'),
      target,
      company_id: campus_id,
      created_at: valid_at,
      updated_at: valid_at,
    }
  })
}

function applicationsFor(chance: Random, offer: Offer, people: readonly Person[], now: number) {
  const until = Math.min(offer.invalid_at, now)
  const able = people.filter(
    ({ campus, core, presentUntil }) =>
      campus.id === offer.campus_id && core && core.beginAt + EXPERIENCE < offer.valid_at && presentUntil > until,
  )
  return chance
    .shuffled(able)
    .slice(0, chance.integer(1, 4))
    .map(({ id }) => {
      const created_at = toSecond(chance.between(offer.valid_at, until))
      const validated_at = chance.chance(0.7) ? toSecond(chance.between(created_at, now)) : null
      return { offer_id: offer.id, user_id: id, validated_at, created_at, updated_at: validated_at ?? created_at }
    })
}

function internshipOf({ user_id, updated_at }: Application, offer: Offer, people: readonly Person[], now: number) {
  const start_at = updated_at + 14 * DAY
  const end_at = start_at + MONTHS * 30 * DAY
  return {
    user_id,
    offer_id: offer.id,
    language_id: people.find(({ id }) => id === user_id)?.campus.languageId ?? null,
    state: end_at < now ? 'ended' : start_at < now ? 'uploaded' : 'need_validation',
    days: WEEK,
    company_name: COMPANIES[offer.campus_id - 1] ?? null,
    company_city: offer.city,
    company_country: offer.country,
    internship_city: offer.city,
    internship_country: offer.country,
    contract_type: offer.contract_type,
    subject: offer.little_description,
    start_at,
    end_at,
    duration: MONTHS,
    salary: offer.monthly,
    currency: CURRENCIES[offer.campus_id - 1] ?? null,
    created_at: updated_at,
    updated_at,
  }
}
