import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { CORE, openedAt } from '../school.ts'
import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, TIMES } from './times.ts'

const QUESTS = {
  id: 'integer',
  name: 'text',
  slug: 'text',
  kind: 'text',
  internal_name: 'text',
  description: 'text',
  cursus_id: 'integer',
  position: 'integer',
  duration: 'integer',
  ...TIMES,
} as const

const QUESTS_USERS = {
  id: 'integer',
  quest_id: 'integer',
  user_id: 'integer',
  end_at: 'timestamptz',
  validated_at: 'timestamptz',
  prct: 'integer',
  advancement: 'text',
  ...TIMES,
} as const

const RANKS = 6
const RANK_DAYS = 150

/** The ranks of the core curriculum, one after another, and how far everybody has come. */
export async function seedQuests(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('quests')
  const opened = openedAt(world.now)
  const ranks = Array.from({ length: RANKS }, (_, index) => {
    const rank = String(index).padStart(2, '0')
    const description = `Everything that rank ${rank} of the core curriculum asks for.`
    return { name: `Core rank ${rank}`, slug: `core-rank-${rank}`, kind: 'main', description, duration: RANK_DAYS }
  })
  const more = [
    {
      name: 'Helping hand',
      slug: 'helping-hand',
      kind: 'optional',
      description: 'Twenty evaluations.',
      duration: null,
    },
    { name: 'Core version', slug: 'core-version', kind: 'cursus_version', description: 'The newest.', duration: null },
  ]
  const quests = [...ranks, ...more].map((quest, index) => ({
    ...{ id: index + 1, ...quest, internal_name: quest.slug.replaceAll('-', '_'), cursus_id: CORE, position: index },
    ...{ created_at: opened, updated_at: opened },
  }))
  await world.insert('quests', QUESTS, quests.length, quests)
  const rows = numbered(people.flatMap((person) => ranksOf(chance, person, world.now)))
  await world.insert('quests_users', QUESTS_USERS, rows.length, rows)
}

/** The ranks that a student has reached, and the one that they are at. */
function ranksOf(chance: Random, { id, core }: Person, now: number) {
  if (!core) return []
  const until = core.endAt ?? now
  const rows = []
  let begin = core.beginAt
  for (let rank = 1; rank <= RANKS && begin < until; rank += 1) {
    const reached = toSecond(begin + chance.between(0.4, 1.3) * RANK_DAYS * DAY)
    const isReached = reached < until
    rows.push({
      ...{ quest_id: rank, user_id: id, end_at: isReached || core.endAt ? null : begin + 2 * RANK_DAYS * DAY },
      validated_at: isReached ? reached : null,
      prct: isReached ? 100 : Math.floor(((until - begin) / (reached - begin)) * 100),
      advancement: null,
      ...{ created_at: begin, updated_at: isReached ? reached : until },
    })
    begin = reached
  }
  return rows
}
