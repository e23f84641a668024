import { toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { textArray, timestamp } from './sql.ts'

/** Comments for ratings from 2 to 5. */
const OPINIONS = [
  'Too short for the subject.',
  'More examples, please.',
  'I would come again.',
  'Well prepared, and time for questions.',
]

/** Feedback from every third guest of each past event. */
export async function seedEventFeedbacks(world: World): Promise<void> {
  await world.derive(
    'feedbacks',
    `insert into feedbacks (user_id, feedbackable_type, feedbackable_id, comment, rating, created_at, updated_at)
     select g.user_id, 'Event', e.id, (${textArray(OPINIONS)})[1 + g.id * 7 % ${OPINIONS.length}], 2 + g.id * 7 % ${OPINIONS.length}, said.at, said.at
     from events e join events_users g on g.event_id = e.id,
     lateral (select least(e.end_at + make_interval(mins => g.id * 37 % 600), ${timestamp(toSecond(world.now))}) as at) said
     where e.end_at < ${timestamp(world.now)} and not g.waiting and g.id % 3 = 0
     order by e.end_at, g.id`,
  )
  await world.derive(
    'feedback_details',
    `insert into feedback_details (feedback_id, kind, rate, created_at, updated_at)
     select f.id, side.kind, least(4, greatest(0, f.rating - 1 + (f.id + side.place) % 2)), f.created_at, f.created_at
     from feedbacks f, unnest(${textArray(['pertinent', 'quality', 'interesting', 'accuracy'])}) with ordinality side (kind, place)
     where f.feedbackable_type = 'Event' order by f.id, side.place`,
  )
}
