import { all, either, own } from '@campus/engine/rest/declare/access'
import { choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { createTopic, deleteTopic, finishTopic, updateTopic } from '../domain/forum/topics.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'

const forum = scope('forum')
const author = all(forum, either(role('Moderator'), own('author_id')))
const opener = all(forum, either(role('Moderator'), role('Basic Staff'), own('author_id')))
const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const topics = resource({
  name: 'topics',
  summary: 'A subject of the forum, with the messages about it.',
  retainedTexts: 'what they wrote for others',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    author: described('who opened it; `{}` where the author is gone', one('users', 'short', { absent: '{}' })),
    kind: described(
      'whether it is a plain topic, a survey or a question to be answered',
      choice(['normal', 'survey', 'stack_overflow']),
    ),
    ...timestamps(),
    pinned_at: described('when it was pinned to the top of lists; null while it is not', time(optional)),
    locked_at: described('when it was locked against further messages; null while it is open', time(optional)),
    pinner: described('user who pinned it; null while it is not pinned', one('users', 'short')),
    locker: described('user who locked it; null while it is open', one('users', 'short')),
    language: described('language that it is written in', one('languages', 'short')),
    messages_url: described('address of the list of its messages', url('/v2/topics/:id/messages')),
    message: described('message that opens it', one('opening_messages', 'record', { refersTo: 'messages' })),
    tags: described('words under which it is found', many('tags', 'embedded', { through: joins.topicsTags })),
    author_id: described(
      'id of the user who opened it; null where the author is gone',
      reference('users', hiddenOptional),
    ),
    pinner_id: described(
      'id of the user who pinned it; null while it is not pinned',
      reference('users', hiddenOptional),
    ),
    locker_id: described('id of the user who locked it; null while it is open', reference('users', hiddenOptional)),
    language_id: described(
      'id of the language that it is written in',
      reference('languages', { hidden: true, required: true }),
    ),
    write_at: described('when it was written, where moderators say so', time(hiddenOptional)),
    message_id: described('id of the message that opens it', reference('messages', hiddenOptional)),
    answer_id: described(
      'id of the message that answers it; null while none does',
      reference('messages', hiddenOptional),
    ),
  },
  index: {
    search: { name: ['name'] },
    defaultSort: ['-updated_at'],
    customFilters: { pinned: whenSet('pinned_at'), locked: whenSet('locked_at'), write: whenSet('write_at') },
  },
  parents: [
    under('cursus', { through: joins.topicsCursus }),
    under('tags', { through: joins.topicsTags }),
    under('users', { by: 'author_id', me: true }),
  ],
  payload: {
    accepts: { except: ['pinner_id', 'locker_id', 'message_id'] },
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
