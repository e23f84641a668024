import { defined } from '@campus/engine/base/defined'
import { slugOf } from '@campus/engine/base/text/slugs'
import { PROJECTS } from '../curriculum.ts'
import type { Person } from '../people.ts'
import type { ProjectsUser } from '../projects-users.ts'
import type { Random } from '../random.ts'
import { CAMPUSES, CORE } from '../school.ts'
import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered } from './times.ts'

const RANK_DAYS = 150

/** Projects that each rank of the core curriculum requires. */
const RANKS = [
  ['byte-library'],
  ['line-reader', 'formatted-output'],
  ['stack-sorter'],
  ['small-shell'],
  ['object-modules-00', 'object-modules-01', 'object-modules-02'],
  ['relay-chat', 'grand-arena'],
].map((slugs) => slugs.map((slug) => defined(PROJECTS.find((project) => project.slug === slug))))

type Quest = readonly [name: string, kind: string, description: string, duration?: number, campusId?: number]

const QUESTS: readonly Quest[] = [
  ...RANKS.map((projects, index): Quest => {
    const rank = String(index).padStart(2, '0')
    return [`Core rank ${rank}`, 'main', `Validate ${projects.map(({ name }) => name).join(', ')}.`, RANK_DAYS]
  }),
  ['Helping hand', 'optional', 'Twenty evaluations.'],
  ['Core version', 'cursus_version', 'The newest.'],
  ...CAMPUSES.map(({ id, name }): Quest => {
    return [`Ambassador of ${name}`, 'repeatable', 'Show visitors round the campus.', undefined, id]
  }),
]
const FIRST_AMBASSADOR = QUESTS.length - CAMPUSES.length + 1

/** The ranks of the core curriculum and other quests, with the progress of the students. */
export async function seedQuests(world: World, people: readonly Person[], progress: Progress): Promise<void> {
  const chance = world.random('ambassadors')
  const quests = QUESTS.map(([name, kind, description, duration = null, campus_id = null], position) => {
    const slug = slugOf(name).replace('-of-', '-')
    const internal_name = slug.replaceAll('-', '_')
    return { name, slug, internal_name, kind, description, duration, campus_id, cursus_id: CORE, position }
  })
  await world.insert('quests', quests)
  const rows = people.flatMap((person) => [
    ...ranksOf(progress, person, world.now),
    ...ambassadorshipsOf(chance, person, world.now),
  ])
  await world.insert('quests_users', numbered(rows))
}

function ambassadorshipsOf(chance: Random, { id, campus, core }: Person, now: number) {
  if (!core || core.endAt !== undefined || !chance.chance(0.15)) return []
  const at = toSecond(chance.between(core.beginAt, now))
  const validated_at = at + 7 * DAY < now ? at + 7 * DAY : null
  const quest_id = FIRST_AMBASSADOR + CAMPUSES.indexOf(campus)
  const progress = { end_at: null, validated_at, prct: validated_at ? 100 : 0, advancement: null }
  return [{ quest_id, user_id: id, ...progress, created_at: at, updated_at: validated_at ?? at }]
}

type Progress = ReadonlyMap<string, ProjectsUser>

/** The ranks that a student has reached, and the current one. */
function ranksOf(progress: Progress, { id, core }: Person, now: number) {
  if (!core) return []
  const until = core.endAt ?? now
  const rows = []
  let begin = core.beginAt
  for (const [index, projects] of RANKS.entries()) {
    const marks = projects.flatMap((project) => {
      const { validated, markedAt } = progress.get(`${id} ${project.id}`)?.outcome ?? {}
      return validated && markedAt ? markedAt : []
    })
    const isReached = marks.length === projects.length
    const reached = Math.max(begin, ...marks)
    rows.push({
      quest_id: index + 1,
      user_id: id,
      end_at: isReached || core.endAt ? null : (core.blackholedAt ?? null),
      validated_at: isReached ? reached : null,
      prct: Math.floor((marks.length / projects.length) * 100),
      advancement: null,
      created_at: begin,
      updated_at: isReached ? reached : Math.min(until, reached),
    })
    if (!isReached) break
    begin = reached
  }
  return rows
}
