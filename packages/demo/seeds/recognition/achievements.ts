import { slugOf } from '@campus/engine/base/text/slugs'
import { drawingPath } from '../../drawing-path.ts'
import { timestamp } from '../community/sql.ts'
import { CAMPUSES } from '../school.ts'
import type { World } from '../world.ts'

type Achievement = readonly [
  name: string,
  description: string,
  tier: string,
  kind: string,
  times: number | null,
  /** Selects `user_id` and `won_at`. */
  winners: string,
  title?: string,
  parentId?: number,
]

/** Selects users who did something for the nth time. `rows` selects `user_id`, `at` and `id`, in the order of the last two. */
const nth = (rows: string, times: number) =>
  `select user_id, at as won_at from (
     select user_id, at, row_number() over (partition by user_id order by at, id) as nth from (${rows}) done
   ) counted where nth = ${times}`

const VALIDATED = 'select id, user_id, marked_at as at from projects_users where validated and marked_at is not null'
const EVALUATED =
  'select id, user_id, filled_at as at from scale_teams where filled_at is not null and truant_id is null'
const ATTENDED = `select u.id, u.user_id, e.end_at as at from events_users u join events e on e.id = u.event_id
  where not u.waiting and e.end_at < `

const LEADERS = `select c.user_id, m.updated_at as won_at from coalitions c
  join coalitions_users m on m.coalition_id = c.id and m.user_id = c.user_id`
const ALUMNI = 'select id as user_id, alumnized_at as won_at from users where alumnized_at is not null'
const beginners = (now: string) =>
  `select user_id, begin_at as won_at from cursus_users where cursus_id = 1 and begin_at <= ${now}`

const achievements = (now: string): readonly Achievement[] => [
  ['On board', 'Begin the core curriculum.', 'none', 'scolarity', null, beginners(now)],
  ['Builder', 'Validate 5 projects.', 'easy', 'project', 5, nth(VALIDATED, 5)],
  ['Master builder', 'Validate 15 projects.', 'medium', 'project', 15, nth(VALIDATED, 15), '%login the Builder', 2],
  ['Fair judge', 'Evaluate 5 teams.', 'easy', 'pedagogy', 5, nth(EVALUATED, 5)],
  ['Wise judge', 'Evaluate 40 teams.', 'hard', 'pedagogy', 40, nth(EVALUATED, 40), 'Judge %login', 4],
  ['Regular', 'Come to 3 events.', 'easy', 'social', 3, nth(ATTENDED + now, 3)],
  ['Captain', 'Lead your coalition.', 'challenge', 'social', null, LEADERS, 'Captain %login'],
  ['Graduate', 'Finish the core curriculum.', 'hard', 'scolarity', null, ALUMNI, 'Graduate %login'],
]

/** Achievements with their winners and titles. Each user selects one title at most. */
export async function seedAchievements(world: World): Promise<void> {
  const list = achievements(timestamp(world.now))
  const titles = list.flatMap(([, , , , , , title]) => title ?? [])
  await world.insert(
    'titles',
    titles.map((name) => ({ name })),
  )
  await world.insert(
    'achievements',
    list.map(([name, description, tier, kind, nbr_of_success, , title, parent_id = null]) => {
      const slug = slugOf(name)
      const image = drawingPath('achievements', slug)
      const title_id = title ? titles.indexOf(title) + 1 : null
      return { name, slug, description, tier, kind, image, nbr_of_success, parent_id, title_id }
    }),
  )
  const links = list.flatMap((_, index) => CAMPUSES.map(({ id }) => ({ achievement_id: index + 1, campus_id: id })))
  await world.insert('achievements_campus', links)
  const winners = list.map(
    ([, , , , , winners], index) => `select ${index + 1} as achievement, user_id, won_at from (${winners}) w`,
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
