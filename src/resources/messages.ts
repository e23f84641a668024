import { deleteMessage, postMessage, updateMessage } from '../domain/messages.ts'
import { all, either, own, role, scope } from '../rest/declare/access.ts'
import { embeddedOnly } from '../rest/declare/declaration.ts'
import { boolean, choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { many, one } from '../rest/declare/fields/embeds.ts'
import { always, group, writtenAs } from '../rest/declare/fields/group.ts'
import { booleanKind, textKind } from '../rest/declare/fields/kinds.ts'
import { whenSet } from '../rest/declare/filters.ts'
import { resource, under, underBoth } from '../rest/declare/resource.ts'

const forum = scope('forum')
const author = all(forum, either(role('Moderator'), own('author_id')))
const hiddenOptional = { nullable: true, hidden: true } as const
const hidden = { hidden: true } as const

export const messages = resource({
  name: 'messages',
  singular: 'message',
  summary: 'What somebody wrote about a topic, or in reply to another message.',
  fields: {
    id: integer(),
    author: one('users', 'short', { absent: '{}' }),
    content: text(),
    content_html: text({ nullable: true }),
    replies: many('messages', 'record', { foreignKey: 'parent_id', order: 'created_at', nested: true }),
    created_at: time(),
    updated_at: time(),
    parent_id: reference('messages', { nullable: true }),
    is_root: boolean(),
    messageable_id: reference('topics'),
    messageable_type: choice(['Topic']),
    votes_count: group({
      upvote: integer({ column: 'upvotes' }),
      downvote: integer({ column: 'downvotes' }),
      trollvote: integer({ column: 'trollvotes' }),
      problem: integer({ column: 'problems' }),
    }),
    user_votes: group({
      upvote: always(false),
      downvote: always(false),
      trollvote: always(false),
      problem: always(false),
    }),
    readings: integer({ column: 'readings_count' }),
    author_id: reference('users', hiddenOptional),
    reference_id: reference('messages', hiddenOptional),
    deleted_at: time(hiddenOptional),
    write_at: time(hiddenOptional),
    readings_count: integer({ min: 0, ...hidden }),
  },
  index: {
    sort: [
      'id',
      'author_id',
      'content',
      'content_html',
      'parent_id',
      'created_at',
      'updated_at',
      'reference_id',
      'deleted_at',
      'is_root',
      'messageable_type',
      'messageable_id',
      'write_at',
      'readings_count',
    ],
    defaultSort: ['created_at'],
    scopes: { deleted: whenSet('deleted_at'), write: whenSet('write_at') },
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
    accepts: [
      'author_id',
      'content',
      'parent_id',
      'reference_id',
      'messageable_type',
      'messageable_id',
      'deleted_at',
      'write_at',
      'readings_count',
    ],
    requires: ['content'],
    extra: {
      content_html: { kind: textKind(), nullable: true, ignored: true },
      is_root: { kind: booleanKind, nullable: true, ignored: true },
    },
  },
  dependents: { released: ['messages.reference_id', 'topics.answer_id', 'topics.message_id'] },
  actions: {
    index: forum,
    show: forum,
    create: { access: author, perform: postMessage },
    update: { access: author, perform: updateMessage },
    destroy: { access: author, perform: deleteMessage },
  },
})

/** As a topic shows it, and takes it when it is opened. */
export const openingMessages = resource({
  name: 'opening_messages',
  singular: 'opening_message',
  summary: 'The message that opens a topic.',
  table: 'messages',
  fields: {
    id: integer(),
    content: writtenAs(
      group({ markdown: text({ column: 'content' }), html: text({ column: 'content_html', nullable: true }) }),
      'content',
    ),
    author_id: reference('users', hiddenOptional),
    messageable_id: reference('topics', hidden),
    created_at: time(hidden),
    updated_at: time(hidden),
  },
  index: { sort: ['id'], defaultSort: ['id'] },
  payload: { accepts: ['content', 'author_id'], requires: ['content'] },
  actions: embeddedOnly,
})
