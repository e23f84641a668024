import type { Person } from '../people.ts'
import { openedAt } from '../school.ts'
import type { World } from '../world.ts'
import { numbered, TIMES } from './times.ts'

const COALITIONS = {
  id: 'integer',
  name: 'text',
  slug: 'text',
  image_url: 'text',
  cover_url: 'text',
  color: 'text',
  score: 'integer',
  user_id: 'integer',
  ...TIMES,
} as const

const NAMES = [
  ['Lynxes', '#c9622b'],
  ['Otters', '#1f6f8b'],
  ['Ravens', '#3b3355'],
  ['Salamanders', '#5b8c2a'],
] as const

/** The houses that everybody with a cursus of their own belongs to; the one with most points leads each. */
export async function seedCoalitions(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('coalitions')
  const opened = openedAt(world.now)
  const members = numbered(
    people
      .filter(({ intake }) => intake)
      .map(({ id, core, intake }) => {
        const at = intake?.beginAt ?? opened
        const score = Math.floor(chance.next() ** 3 * (core ? 4000 : 300))
        return { coalition_id: chance.integer(1, NAMES.length), user_id: id, score, created_at: at, updated_at: at }
      }),
  )
  const coalitions = NAMES.map(([name, color], index) => {
    const own = members.filter(({ coalition_id }) => coalition_id === index + 1)
    const best = [...own].sort((one, other) => other.score - one.score)[0]
    const slug = name.toLowerCase()
    return {
      id: index + 1,
      name,
      slug,
      color,
      image_url: `https://cdn.campus.example/coalitions/${slug}.svg`,
      cover_url: `https://cdn.campus.example/coalitions/${slug}-cover.jpg`,
      score: own.reduce((sum, { score }) => sum + score, 0),
      user_id: best?.user_id ?? null,
      created_at: opened,
      updated_at: opened,
    }
  })
  await world.insert('coalitions', COALITIONS, coalitions.length, coalitions)
  const columns = { id: 'integer', coalition_id: 'integer', user_id: 'integer', score: 'integer', ...TIMES } as const
  await world.insert('coalitions_users', columns, members.length, members)
}
