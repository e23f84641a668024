import type { World } from '../world.ts'
import { timestamp } from './sql.ts'

/** Only the first users vote, so that the query is fast in large schools. */
const VOTERS = 200

/** Inserts the votes that the counts of the messages promise. */
export async function seedVotes(world: World): Promise<void> {
  await world.derive(
    'votes',
    `insert into votes (message_id, user_id, kind, created_at)
     select m.id, v.id, m.kind, least(m.created_at + make_interval(mins => 5 + v.id * 41 % 900), ${timestamp(world.now)})
     from (select id, author_id, created_at, kind, counted from messages,
             lateral (values ('upvote', upvotes), ('downvote', downvotes)) given (kind, counted)) m,
       lateral (select u.id from users u where u.id <= ${VOTERS} and u.id <> m.author_id
         order by (u.id * 7919 + m.id * 104729 + length(m.kind)) % 1009, u.id limit m.counted) v
     order by m.created_at, m.id, m.kind, v.id`,
  )
  // The trigger on votes has counted each vote a second time.
  await world.run(
    `update messages m set (upvotes, downvotes) = (
       select count(*) filter (where kind = 'upvote'), count(*) filter (where kind = 'downvote') from votes where message_id = m.id)`,
  )
}
