import { drawingPath } from '../../drawing-path.ts'
import { withIds } from '../bulk-insert.ts'
import { CAMPUSES, openedAt } from '../school.ts'
import type { World } from '../world.ts'

type Achievement = {
  readonly name: string
  readonly description: string
  readonly tier: string
  readonly kind: string
  /** How often something has to succeed. */
  readonly times: number | null
  /** The place in this list of the one before it. */
  readonly after?: number
  /** The words of honour that come with it. */
  readonly title?: string
  /** Who has won it, and when: `user_id` and `won_at`. */
  readonly winners: string
}

/** Users who did something for the nth time: rows of `user_id`, `at` and an id that settles the order. */
const nth = (rows: string, times: number) =>
  `select user_id, at as won_at from (
     select user_id, at, row_number() over (partition by user_id order by at, id) as nth from (${rows}) done
   ) counted where nth = ${times}`

const VALIDATED = 'select id, user_id, marked_at as at from projects_users where validated and marked_at is not null'
const EVALUATED =
  'select id, user_id, filled_at as at from scale_teams where filled_at is not null and truant_id is null'
const ATTENDED = `select u.id, u.user_id, e.end_at as at from events_users u join events e on e.id = u.event_id
  where not u.waiting and e.end_at < `

const achievements = (now: string): readonly Achievement[] => [
  {
    name: 'On board',
    description: 'Begin the core curriculum.',
    tier: 'none',
    kind: 'scolarity',
    times: null,
    winners: `select user_id, begin_at as won_at from cursus_users where cursus_id = 1 and begin_at <= ${now}`,
  },
  {
    name: 'Builder',
    description: 'Validate 5 projects.',
    tier: 'easy',
    kind: 'project',
    times: 5,
    winners: nth(VALIDATED, 5),
  },
  {
    name: 'Master builder',
    description: 'Validate 15 projects.',
    tier: 'medium',
    kind: 'project',
    times: 15,
    after: 2,
    title: '%login the Builder',
    winners: nth(VALIDATED, 15),
  },
  {
    name: 'Fair judge',
    description: 'Evaluate 5 teams.',
    tier: 'easy',
    kind: 'pedagogy',
    times: 5,
    winners: nth(EVALUATED, 5),
  },
  {
    name: 'Wise judge',
    description: 'Evaluate 40 teams.',
    tier: 'hard',
    kind: 'pedagogy',
    times: 40,
    after: 4,
    title: 'Judge %login',
    winners: nth(EVALUATED, 40),
  },
  {
    name: 'Regular',
    description: 'Come to 3 events.',
    tier: 'easy',
    kind: 'social',
    times: 3,
    winners: nth(ATTENDED + now, 3),
  },
  {
    name: 'Captain',
    description: 'Lead your coalition.',
    tier: 'challenge',
    kind: 'social',
    times: null,
    title: 'Captain %login',
    winners: `select c.user_id, m.updated_at as won_at from coalitions c
      join coalitions_users m on m.coalition_id = c.id and m.user_id = c.user_id`,
  },
  {
    name: 'Graduate',
    description: 'Finish the core curriculum.',
    tier: 'hard',
    kind: 'scolarity',
    times: null,
    title: 'Graduate %login',
    winners: 'select id as user_id, alumnized_at as won_at from users where alumnized_at is not null',
  },
]

/** What people win by what they have done, with the titles that come with it; everybody shows one of theirs at most. */
export async function seedAchievements(world: World): Promise<void> {
  const opened = openedAt(world.now)
  const times = { created_at: opened, updated_at: opened }
  const list = achievements(`'${new Date(world.now).toISOString()}'::timestamptz`)
  const titles = list.flatMap(({ title }) => title ?? [])
  await world.insert(
    'titles',
    titles.map((name, index) => ({ id: index + 1, name, ...times })),
  )
  await world.insert(
    'achievements',
    list.map(({ name, description, tier, kind, times: nbr_of_success, after, title }, index) => {
      const slug = name.toLowerCase().replaceAll(' ', '-')
      return {
        id: index + 1,
        name,
        slug,
        description,
        tier,
        kind,
        image: drawingPath('achievements', slug),
        nbr_of_success,
        parent_id: after ?? null,
        title_id: title ? titles.indexOf(title) + 1 : null,
        ...times,
      }
    }),
  )
  const links = list.flatMap((_, index) => CAMPUSES.map(({ id }) => ({ achievement_id: index + 1, campus_id: id })))
  await world.insert('achievements_campus', withIds(links))
  const winners = list.map(
    ({ winners }, index) => `select ${index + 1} as achievement, user_id, won_at from (${winners}) w`,
  )
  await world.derive(
    'achievements_users',
    `insert into achievements_users (achievement_id, user_id, created_at, updated_at)
     select achievement, user_id, won_at, won_at from (${winners.join(' union all ')}) won
     order by won_at, achievement, user_id`,
  )
  await world.derive(
    'titles_users',
    `insert into titles_users (user_id, title_id, selected, created_at, updated_at)
     select user_id, title_id, nth = 1 and user_id % 3 <> 0, won_at, won_at from (
       select u.user_id, a.title_id, u.created_at as won_at, u.id,
         row_number() over (partition by u.user_id order by u.created_at desc, u.id desc) as nth
       from achievements_users u join achievements a on a.id = u.achievement_id where a.title_id is not null
     ) held order by id`,
  )
}
