import { role } from '../rest/declare/access.ts'
import { choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { objectSchema } from '../rest/declare/fields/computed.ts'
import { replacedWhereHidden } from '../rest/declare/fields/guarded.ts'
import { json } from '../rest/declare/fields/json.ts'
import { whenNamed } from '../rest/declare/filters.ts'
import { resource, under } from '../rest/declare/resource.ts'
import { answerWithoutReason, recordWithoutReason } from '../webhooks/close-reasons.ts'
import { replayOne, STATES } from '../webhooks/replay.ts'
import { EVENTS } from '../webhooks/webhook-events.ts'
import { REASON_IS_SECRET } from './closes.ts'

const staff = role('Basic Staff')
const optional = { nullable: true } as const

const attempts = {
  type: 'array',
  items: objectSchema({
    at: { type: 'string', format: 'date-time' },
    status: { type: ['integer', 'null'] },
    error: { type: ['string', 'null'] },
    milliseconds: { type: 'integer' },
  }),
}

export const deliveries = resource({
  name: 'deliveries',
  singular: 'delivery',
  summary: 'The delivery of a webhook event to an endpoint: its record, every attempt and the result.',
  fields: {
    id: integer(),
    webhook_id: text(),
    endpoint_id: reference('endpoints'),
    user_id: integer(),
    login: text(),
    event: choice(EVENTS),
    state: choice(STATES),
    tries: integer(),
    next_try_at: time({ ...optional, column: 'due_at' }),
    last_try_at: time(optional),
    status: integer(optional),
    error: text(optional),
    milliseconds: integer(optional),
    secrets: choice(['none', 'sealed', 'sent', 'lost', 'erased']),
    decided_at: time(optional),
    created_at: time(),
    updated_at: time(),
    record: replacedWhereHidden(REASON_IS_SECRET, json({ type: 'object' }), recordWithoutReason),
    answer: replacedWhereHidden(REASON_IS_SECRET, text(optional), answerWithoutReason),
    attempts: json(attempts),
  },
  representations: {
    short: [
      'id',
      'webhook_id',
      'endpoint_id',
      'user_id',
      'login',
      'event',
      'state',
      'tries',
      'next_try_at',
      'last_try_at',
      'status',
      'error',
      'milliseconds',
      'secrets',
      'decided_at',
      'created_at',
      'updated_at',
    ],
  },
  answers: { index: 'short' },
  index: {
    sort: ['id', 'created_at', 'updated_at', 'decided_at', 'next_try_at', 'last_try_at', 'tries', 'milliseconds'],
    defaultSort: ['-id'],
    filter: ['id', 'webhook_id', 'endpoint_id', 'user_id', 'login', 'event', 'state', 'status', 'tries', 'secrets'],
    scopes: { user: whenNamed('user_id', 'login') },
  },
  parents: [under('endpoints', { actions: ['index', 'show', 'members'] })],
  actions: {
    index: staff,
    show: staff,
    members: { replay: { access: staff, method: 'POST', perform: replayOne } },
  },
})
