import { createTopic, deleteTopic, finishTopic, updateTopic } from '../domain/topics.ts'
import { all, either, own, role, scope } from '../rest/declare/access.ts'
import { choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { url } from '../rest/declare/fields/computed.ts'
import { many, one } from '../rest/declare/fields/embeds.ts'
import { whenSet } from '../rest/declare/filters.ts'
import { resource, through, under } from '../rest/declare/resource.ts'

const forum = scope('forum')
const author = all(forum, either(role('Moderator'), own('author_id')))
const opener = all(forum, either(role('Moderator'), role('Basic Staff'), own('author_id')))
const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const topics = resource({
  name: 'topics',
  singular: 'topic',
  summary: 'A subject of the forum, with the messages about it.',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    author: one('users', 'short', { by: 'author_id', nullable: true, absent: '{}' }),
    kind: choice(['normal', 'survey', 'stack_overflow']),
    created_at: time(),
    updated_at: time(),
    pinned_at: time(optional),
    locked_at: time(optional),
    pinner: one('users', 'short', { by: 'pinner_id', nullable: true }),
    locker: one('users', 'short', { by: 'locker_id', nullable: true }),
    language: one('languages', 'short', { by: 'language_id' }),
    messages_url: url('/v2/topics/:id/messages'),
    message: one('opening_messages', 'record', { by: 'message_id', nullable: true }),
    tags: many('tags', 'embedded', { through: { table: 'topics_tags', otherKey: 'tag_id' }, foreignKey: 'topic_id' }),
    author_id: reference('users', hiddenOptional),
    pinner_id: reference('users', hiddenOptional),
    locker_id: reference('users', hiddenOptional),
    language_id: reference('languages', { hidden: true }),
    write_at: time(hiddenOptional),
    message_id: reference('messages', hiddenOptional),
    answer_id: reference('messages', hiddenOptional),
  },
  index: {
    sort: [
      'id',
      'name',
      'author_id',
      'kind',
      'created_at',
      'updated_at',
      'pinned_at',
      'locked_at',
      'pinner_id',
      'locker_id',
      'language_id',
      'write_at',
      'message_id',
      'answer_id',
    ],
    defaultSort: ['-updated_at'],
    scopes: { pinned: whenSet('pinned_at'), locked: whenSet('locked_at'), write: whenSet('write_at') },
  },
  parents: [
    under('cursus', through('topics_cursus', 'topic_id', 'cursus_id')),
    under('tags', through('topics_tags', 'topic_id', 'tag_id')),
    under('users', 'author_id', { me: true }),
  ],
  payload: {
    accepts: ['name', 'kind', 'language_id', 'author_id', 'pinned_at', 'locked_at', 'write_at', 'answer_id'],
    requires: ['name', 'language_id'],
    nested: { messages_attributes: { resource: 'opening_messages', by: 'messageable_id', atCreation: true } },
    links: {
      tag_ids: { table: 'topics_tags', foreignKey: 'topic_id', otherKey: 'tag_id' },
      cursus_ids: { table: 'topics_cursus', foreignKey: 'topic_id', otherKey: 'cursus_id' },
    },
  },
  dependents: { deleted: ['messages.messageable_id', 'topics_cursus.topic_id', 'topics_tags.topic_id'] },
  actions: {
    index: forum,
    show: forum,
    create: { access: opener, perform: createTopic, finish: finishTopic },
    update: { access: author, perform: updateTopic },
    destroy: { access: author, perform: deleteTopic },
  },
})
