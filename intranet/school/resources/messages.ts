import { all, either, own } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { boolean, choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { sqlJson } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { group, writtenAs } from '@campus/engine/rest/declare/fields/group'
import { booleanKind, textKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under, underBoth } from '@campus/engine/rest/declare/resource'
import { caller, column, literal, sql, table } from '@campus/engine/rest/declare/sql'
import { deleteMessage, postMessage, updateMessage } from '../domain/forum/messages.ts'
import { role, scope } from './access.ts'
import { ignoredParameter } from './parameters.ts'
import { KINDS_OF_VOTES } from './votes.ts'

const forum = scope('forum')
const author = all(forum, either(role('Moderator'), own('author_id')))
const hiddenOptional = { nullable: true, hidden: true } as const
const hidden = { hidden: true } as const

export const messages = resource({
  name: 'messages',
  summary: 'What somebody wrote about a topic, or in reply to another message.',
  retainedTexts: 'what they wrote for others',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    author: described('who wrote it; `{}` where the author is gone', one('users', 'short', { absent: '{}' })),
    content: described('the text, in Markdown; empty once it is deleted', text({ required: true })),
    content_html: described('always null; Markdown is not rendered', text({ nullable: true })),
    replies: described(
      'messages that reply to it, with their own replies',
      many('messages', 'record', { foreignKey: 'parent_id', order: 'created_at', nested: true }),
    ),
    ...timestamps(),
    parent_id: described(
      'id of the message that it replies to; null where it replies to none',
      reference('messages', { nullable: true }),
    ),
    is_root: described('whether it replies to no other message', boolean()),
    messageable_id: described('id of the topic that it is about', reference('topics')),
    messageable_type: described('what it is about, always `Topic`', choice(['Topic'])),
    votes_count: described(
      'how many users voted on it, by kind of vote',
      group({
        upvote: described('votes for it', integer({ column: 'upvotes' })),
        downvote: described('votes against it', integer({ column: 'downvotes' })),
        trollvote: described('votes that call it trolling', integer({ column: 'trollvotes' })),
        problem: described('votes that report a problem', integer({ column: 'problems' })),
      }),
    ),
    user_votes: described(
      'ids of the votes of the caller on it; false where there is none',
      group(
        Object.fromEntries(
          KINDS_OF_VOTES.map((kind) => [
            kind,
            described(
              `id of the ${kind} of the caller, or false`,
              sqlJson(
                { anyOf: [{ type: 'integer' }, { type: 'boolean', const: false }] },
                sql`(select id from ${table('votes')} where message_id = ${column('id')} and user_id = ${caller.person} and kind = ${literal(kind)})`,
                'false',
              ),
            ),
          ]),
        ),
      ),
    ),
    readings: described('how many users have read it', integer({ column: 'readings_count' })),
    author_id: described(
      'id of the user who wrote it; null where the author is gone',
      reference('users', hiddenOptional),
    ),
    reference_id: described('id of another message that it speaks of', reference('messages', hiddenOptional)),
    deleted_at: described('when it was deleted; null while it stands', time(hiddenOptional)),
    write_at: described('when it was written, where moderators say so', time(hiddenOptional)),
    readings_count: described('how many users have read it, as a column', integer({ min: 0, ...hidden })),
  },
  index: {
    sort: { except: ['readings'] },
    defaultSort: ['created_at'],
    customFilters: { deleted: whenSet('deleted_at'), write: whenSet('write_at') },
  },
  parents: [
    under('topics', { actions: ['index', 'create'], only: ['is_root', 'true'] }),
    underBoth(under('topics', { by: 'messageable_id' }), under('messages', { by: 'parent_id' }), {
      actions: ['index', 'create'],
    }),
    under('messages', { by: 'parent_id', actions: ['index', 'create'] }),
    under('users', { me: true }),
  ],
  payload: {
    accepts: { except: ['content_html', 'is_root', 'readings'] },
    extra: {
      content_html: ignoredParameter('ignored; HTML of clients is not repeated', textKind()),
      is_root: ignoredParameter('ignored; it follows from `parent_id`', booleanKind),
    },
  },
  dependents: {
    deleted: ['votes.message_id'],
    released: ['messages.reference_id', 'topics.answer_id', 'topics.message_id'],
  },
  lockedAfter: ['messageable_id'],
  actions: {
    index: forum,
    show: forum,
    create: { access: author, perform: postMessage },
    update: { access: author, perform: updateMessage },
    destroy: { access: author, perform: deleteMessage },
  },
})

/** Embedded in a topic, and created with it. */
export const openingMessages = resource({
  name: 'opening_messages',
  summary: 'The message that opens a topic.',
  table: 'messages',
  fields: {
    id: integer(),
    content: described(
      'the text, in Markdown and as HTML',
      writtenAs(
        group({
          markdown: described('the text as it was written', text({ column: 'content' })),
          html: described('always null; Markdown is not rendered', text({ column: 'content_html', nullable: true })),
        }),
        'content',
      ),
    ),
    author_id: described(
      'id of the user who wrote it; null where the author is gone',
      reference('users', hiddenOptional),
    ),
    messageable_id: described('id of the topic that it opens', reference('topics', hidden)),
    ...timestamps(hidden),
  },
  payload: { accepts: { except: ['messageable_id'] }, requires: ['content'] },
  actions: embeddedOnly,
})
