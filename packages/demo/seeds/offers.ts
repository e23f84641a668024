import { defined } from '@campus/engine/base/defined'
import { slugOf } from '@campus/engine/base/text/slugs'
import { numbered } from './campus-life/times.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CAMPUSES, type Campus } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Title, description, contract type, monthly salary, target, and ids of expertises. */
const WORK = [
  ['Engineer for river sensors', 'Measures water, wind and patience.', 'stage', 900, 'student', [1, 9]],
  ['Web developer', 'Builds what the shop next door sells with.', 'cdi', 3100, 'student_and_alumni', [2, 6]],
  ['Data gardener', 'Sows, weeds and harvests tables.', 'apprentice_ship', 1100, 'student', [3, 7]],
  ['Keeper of servers', 'Listens when they hum.', 'cdd', 2400, 'student_and_alumni', [9, 10]],
  ['Author of compilers', 'Reads code aloud, and writes it down again.', 'stage', 1200, 'student', [1, 4]],
  ['Drawer of interfaces', 'Makes buttons that people find.', 'freelance', null, 'student_and_alumni', [6, 12]],
] as const

/** Address, zip, latitude, longitude, name and currency of the company at each campus. */
const COMPANIES = [
  ['4 quai du Drac', '38000', 45.19, 5.72, 'Drac & Co', 'EUR'],
  ['Rua do Sol, 12', '50050-100', -8.06, -34.88, 'Sol Nascente', 'BRL'],
  ['7 Rundle Mall', '5000', -34.92, 138.6, 'Torrens Works', 'AUD'],
] as const

const OLDEST_DAYS = 400
const SHOWN_DAYS = 120
const EXPERIENCE = 250 * DAY
const MONTHS = 4
const WEEK = '["monday","tuesday","wednesday","thursday","friday"]'

/** Offers of companies, with applications and internships. */
export async function seedOffers(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('offers')
  const offers = numbered(CAMPUSES.flatMap((campus) => planOffers(chance, campus, world.now)))
  await world.insert('offers', offers)
  const crafts = offers.flatMap(({ id, crafts }) => crafts.map((expertise_id) => ({ offer_id: id, expertise_id })))
  await world.insert('offers_expertises', crafts)
  const offersCampus = offers.map(({ id, campus }) => ({ offer_id: id, campus_id: campus.id }))
  await world.insert('offers_campus', offersCampus)
  const applications = numbered(offers.flatMap((offer) => applicationsFor(chance, offer, people, world.now)))
  await world.insert('offers_users', applications)
  const taken = applications.filter(({ validated_at }) => validated_at !== null && chance.chance(0.5))
  const internships = taken.map((application) => internshipOf(application, world.now))
  await world.insert('internships', numbered(internships))
}

type Offer = ReturnType<typeof planOffers>[number] & { readonly id: number }
type Application = ReturnType<typeof applicationsFor>[number]

function planOffers(chance: Random, campus: Campus, now: number) {
  const [address, zip, latitude, longitude, company_name, currency] = defined(COMPANIES[campus.id - 1])
  return WORK.map(([title, little_description, contract_type, monthly, target, crafts]) => {
    const valid_at = toSecond(now - chance.integer(0, OLDEST_DAYS) * DAY)
    return {
      campus,
      company_name,
      currency,
      crafts,
      title,
      little_description,
      big_description: `${little_description}\n\nYou work with two others, and are asked what you think.`,
      salary: monthly === null ? null : `${monthly} ${currency} a month`,
      monthly,
      contract_type,
      email: `work@${campus.slug}.example.org`,
      address,
      zip,
      city: campus.name,
      country: campus.place.country,
      latitude,
      longitude,
      valid_at,
      invalid_at: valid_at + SHOWN_DAYS * DAY,
      min_duration: MONTHS,
      max_duration: contract_type === 'cdi' ? null : MONTHS + 2,
      slug: slugOf(title),
      target,
      company_id: campus.id,
      created_at: valid_at,
    }
  })
}

function applicationsFor(chance: Random, offer: Offer, people: readonly Person[], now: number) {
  const until = Math.min(offer.invalid_at, now)
  const able = people.filter(
    ({ campus, core, presentUntil }) =>
      campus === offer.campus && core && core.beginAt + EXPERIENCE < offer.valid_at && presentUntil > until,
  )
  return chance
    .shuffled(able)
    .slice(0, chance.integer(1, 4))
    .map(({ id }) => {
      const created_at = toSecond(chance.between(offer.valid_at, until))
      const validated_at = chance.chance(0.7) ? toSecond(chance.between(created_at, now)) : null
      const updated_at = validated_at ?? created_at
      return { offer, offer_id: offer.id, user_id: id, validated_at, created_at, updated_at }
    })
}

function internshipOf({ offer, user_id, updated_at }: Application, now: number) {
  const start_at = updated_at + 14 * DAY
  const end_at = start_at + MONTHS * 30 * DAY
  return {
    user_id,
    offer_id: offer.id,
    language_id: offer.campus.languageId,
    state: end_at < now ? 'ended' : start_at < now ? 'uploaded' : 'need_validation',
    days: WEEK,
    company_name: offer.company_name,
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
    currency: offer.currency,
    created_at: updated_at,
  }
}
