import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

export const VOTE_FUNCTIONS: readonly SqlFunction[] = [
  // Adds to the stored count, so that no concurrent vote is lost.
  {
    name: 'count_vote',
    body: `
      declare
        vote votes := coalesce(new, old);
        sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      begin
        update messages set
          upvotes = upvotes + sign * (vote.kind = 'upvote')::integer,
          downvotes = downvotes + sign * (vote.kind = 'downvote')::integer,
          trollvotes = trollvotes + sign * (vote.kind = 'trollvote')::integer,
          problems = problems + sign * (vote.kind = 'problem')::integer
        where id = vote.message_id;
        return null;
      end
    `,
  },
]

export const VOTE_TRIGGERS: readonly SqlTrigger[] = [
  { name: 'votes_counted', table: 'votes', on: 'after insert or delete', call: 'count_vote()' },
]
