import { choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { replacedWhereHidden } from '@campus/engine/rest/declare/fields/guarded'
import { json } from '@campus/engine/rest/declare/fields/json'
import { rewritten } from '@campus/engine/rest/declare/fields/rewritten'
import { whenNamed } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { authorizeDelivery } from '../../access/powers.ts'
import { CALLS } from '../../webhooks/calls.ts'
import { STATES } from '../../webhooks/delivery-states.ts'
import { answerWithoutReason, recordWithoutReason } from '../../webhooks/hide-close-reason.ts'
import { replayDelivery } from '../../webhooks/replay.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { role } from './access.ts'
import { REASON_IS_SECRET } from './closes.ts'
import { BODIES_ARE_SECRET } from './delivery-bodies.ts'

const staff = role('Basic Staff')
const optional = { nullable: true } as const

const attempts = {
  type: 'array',
  items: objectSchema({
    at: { type: 'string', format: 'date-time', description: 'When it was tried.' },
    status: { type: ['integer', 'null'], description: 'HTTP status of the answer; null without one.' },
    error: { type: ['string', 'null'], description: 'What went wrong; null where nothing did.' },
    milliseconds: { type: 'integer', description: 'How long it took.' },
  }),
}

/** Renders a stored reason as the API answers it, from JSON to JSON. */
const reasonInJson = (json: string) => JSON.stringify(reasonInEnglish(JSON.parse(json)))

const reasonsInJson = (json: string) =>
  json.replace(/"error": ("(?:[^"\\]|\\.)*")/g, (_, error) => `"error": ${reasonInJson(error)}`)

export const deliveries = resource({
  name: 'deliveries',
  singular: 'delivery',
  summary: 'The delivery of a webhook event to an endpoint: its record, every attempt and the result.',
  large: true,
  unmirrored: 'they belong to one service and its webservices',
  fields: {
    id: integer(),
    webhook_id: described('id that all tries of the call carry, by which a receiver knows repeats', text({ max: 255 })),
    endpoint_id: reference('endpoints'),
    user_id: described('id of the user whom it tells of', integer()),
    login: described('login of the user whom it tells of', text({ max: 255 })),
    event: described('what happened to the user', choice(CALLS)),
    state: described('`pending` until it is decided', choice(STATES)),
    tries: described('how often it was tried', integer()),
    next_try_at: described('when it is tried next; null once it is decided', time({ ...optional, column: 'due_at' })),
    last_try_at: described('when it was tried last; null before the first try', time(optional)),
    status: described('HTTP status of the last answer; null without one', integer(optional)),
    error: described(
      'what went wrong at the last try; null where nothing did',
      rewritten(text(optional), reasonInJson),
    ),
    milliseconds: described('how long the last try took; null before the first', integer(optional)),
    secrets: described(
      'what became of the password and meta that went along',
      choice(['none', 'sealed', 'sent', 'lost', 'erased']),
    ),
    decided_at: described('when it was delivered or given up; null before', time(optional)),
    ...timestamps(),
    record: described(
      'what is told, without secrets; `{}` for people who may not change the webservice',
      replacedWhereHidden(
        BODIES_ARE_SECRET,
        replacedWhereHidden(REASON_IS_SECRET, json({ type: 'object' }), recordWithoutReason),
        '{}',
      ),
    ),
    answer: described(
      'beginning of the last answer; null without one, and for people who may not change the webservice',
      replacedWhereHidden(
        BODIES_ARE_SECRET,
        replacedWhereHidden(REASON_IS_SECRET, text(optional), answerWithoutReason),
        'null',
      ),
    ),
    attempts: described('every try, with what came of it', rewritten(json(attempts), reasonsInJson)),
  },
  representations: { short: { except: ['record', 'answer', 'attempts'] } },
  answers: { index: 'short' },
  index: {
    sort: ['id', 'created_at', 'updated_at', 'decided_at', 'next_try_at', 'last_try_at', 'tries', 'milliseconds'],
    filter: ['id', 'webhook_id', 'endpoint_id', 'user_id', 'login', 'event', 'state', 'status', 'tries', 'secrets'],
    customFilters: { user: whenNamed('user_id', 'login') },
    // Each delivery is written three times, and so is each index on these columns.
    unindexed: { except: ['id', 'webhook_id', 'endpoint_id', 'user_id', 'login'] },
  },
  authorize: authorizeDelivery,
  parents: [under('endpoints', { actions: ['index', 'show', 'members'] })],
  actions: {
    index: staff,
    show: staff,
    members: {
      replay: {
        access: staff,
        description: 'sends it again, with the same id and body but without secrets',
        method: 'POST',
        perform: replayDelivery,
      },
    },
  },
})
