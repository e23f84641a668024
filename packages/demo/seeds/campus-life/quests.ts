import { defined } from '@campus/engine/base/defined'
import { PROJECTS } from '../curriculum.ts'
import type { Person } from '../people.ts'
import type { ProjectsUser } from '../projects-users.ts'
import type { Random } from '../random.ts'
import { CAMPUSES, CORE, openedAt } from '../school.ts'
import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered } from './times.ts'

const RANK_DAYS = 150

/** What each rank of the core curriculum asks for, by the places of projects: the common core's, in their order. */
const RANKS = [
  ['byte-library'],
  ['line-reader', 'formatted-output'],
  ['stack-sorter'],
  ['small-shell'],
  ['object-modules-00', 'object-modules-01', 'object-modules-02'],
  ['relay-chat', 'grand-arena'],
].map((slugs) => slugs.map((slug) => defined(PROJECTS.find((project) => project.slug === slug))))

/** The ranks of the core curriculum, one after another, and how far everybody has come. */
export async function seedQuests(world: World, people: readonly Person[], progress: Progress): Promise<void> {
  const guides = world.random('ambassadors')
  const opened = openedAt(world.now)
  const ranks = RANKS.map((projects, index) => {
    const rank = String(index).padStart(2, '0')
    const description = `Validate ${projects.map(({ name }) => name).join(', ')}.`
    return {
      name: `Core rank ${rank}`,
      slug: `core-rank-${rank}`,
      kind: 'main',
      description,
      duration: RANK_DAYS,
      campus_id: null,
    }
  })
  const more = [
    {
      name: 'Helping hand',
      slug: 'helping-hand',
      kind: 'optional',
      description: 'Twenty evaluations.',
      duration: null,
      campus_id: null,
    },
    {
      name: 'Core version',
      slug: 'core-version',
      kind: 'cursus_version',
      description: 'The newest.',
      duration: null,
      campus_id: null,
    },
    ...CAMPUSES.map(({ id, slug }) => ({
      name: `Ambassador of ${slug.charAt(0).toUpperCase()}${slug.slice(1)}`,
      slug: `ambassador-${slug}`,
      kind: 'repeatable',
      description: 'Show visitors round the campus.',
      duration: null,
      campus_id: id,
    })),
  ]
  const quests = [...ranks, ...more].map((quest, index) => ({
    id: index + 1,
    ...quest,
    internal_name: quest.slug.replaceAll('-', '_'),
    cursus_id: CORE,
    position: index,
    created_at: opened,
    updated_at: opened,
  }))
  await world.insert('quests', quests)
  const rows = numbered(
    people.flatMap((person) => [...ranksOf(progress, person, world.now), ...interviewsOf(guides, person, world.now)]),
  )
  await world.insert('quests_users', rows)
}

/** Who of the core curriculum has shown visitors round, or has promised to. */
function interviewsOf(chance: Random, { id, campus, core }: Person, now: number) {
  if (!core || core.endAt !== undefined || !chance.chance(0.15)) return []
  const at = toSecond(chance.between(core.beginAt, now))
  const validated_at = at + 7 * DAY < now ? at + 7 * DAY : null
  const quest_id = RANKS.length + 2 + CAMPUSES.indexOf(campus) + 1
  const progress = { end_at: null, validated_at, prct: validated_at ? 100 : 0, advancement: null }
  return [{ quest_id, user_id: id, ...progress, created_at: at, updated_at: validated_at ?? at }]
}

type Progress = ReadonlyMap<string, ProjectsUser>

/** The ranks that a student has reached by what they validated, and the one that they are at. */
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
