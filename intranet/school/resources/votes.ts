import { all, either, own } from '@campus/engine/rest/declare/access'
import { choice, integer, reference, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { guarded } from '@campus/engine/rest/declare/fields/guarded'
import { always, type Guard } from '@campus/engine/rest/declare/guard'
import { resource } from '@campus/engine/rest/declare/resource'
import { castVote } from '../domain/forum/votes.ts'
import { role, scope } from './access.ts'

const forum = scope('forum')
const moderatorOrOwn = either(role('Moderator'), own('user_id'))
const voter = all(forum, moderatorOrOwn)

/** Voters are visible to themselves and to moderators only. */
const VOTER_IS_SECRET: Guard = { hides: always, except: moderatorOrOwn }

/** In the order of the counts of a message. */
export const KINDS_OF_VOTES = ['upvote', 'downvote', 'trollvote', 'problem'] as const

export const votes = resource({
  name: 'votes',
  summary: 'What a user thinks of a message: one vote of each kind.',
  retainedTexts: 'kinds of votes',
  large: true,
  unmirrored: 'the lists do not say whose they are; the counts of messages are copied',
  fields: {
    id: integer(),
    kind: described('what the user thinks of the message', choice(KINDS_OF_VOTES, { required: true })),
    created_at: time(),
    message: described('message that is voted on', one('messages', 'record')),
    message_id: described(
      'id of the message that is voted on',
      reference('messages', { hidden: true, required: true }),
    ),
    user_id: described('id of the user who votes', guarded(VOTER_IS_SECRET, reference('users', { hidden: true }))),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  payload: { checks: { votes_message_id_user_id_kind_key: ['kind', 'has been cast already'] } },
  lockedAfter: ['message_id'],
  actions: {
    index: forum,
    show: forum,
    create: { access: voter, perform: castVote },
    destroy: { access: voter },
  },
})
