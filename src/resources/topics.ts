import { createTopic, deleteTopic, finishTopic, updateTopic } from '../domain/topics.ts'
import { all, either, own, role, scope } from '../rest/declare/access.ts'
import { choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { url } from '../rest/declare/fields/computed.ts'
import { many, one } from '../rest/declare/fields/embeds.ts'
import { whenSet } from '../rest/declare/filters.ts'
import { resource, under } from '../rest/declare/resource.ts'
import * as joins from './join-tables.ts'

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
    author: one('users', 'short', { absent: '{}' }),
    kind: choice(['normal', 'survey', 'stack_overflow']),
    created_at: time(),
    updated_at: time(),
    pinned_at: time(optional),
    locked_at: time(optional),
    pinner: one('users', 'short'),
    locker: one('users', 'short'),
    language: one('languages', 'short'),
    messages_url: url('/v2/topics/:id/messages'),
    message: one('opening_messages', 'record', { refersTo: 'messages' }),
    tags: many('tags', 'embedded', { through: joins.topicsTags }),
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
    under('cursus', { through: joins.topicsCursus }),
    under('tags', { through: joins.topicsTags }),
    under('users', { by: 'author_id', me: true }),
  ],
  payload: {
    accepts: ['name', 'kind', 'language_id', 'author_id', 'pinned_at', 'locked_at', 'write_at', 'answer_id'],
    requires: ['name', 'language_id'],
    nested: { messages_attributes: { resource: 'opening_messages', by: 'messageable_id', atCreation: true } },
    links: {
      tag_ids: joins.topicsTags,
      cursus_ids: joins.topicsCursus,
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
