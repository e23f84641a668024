import { message } from '@campus/engine/base/languages/say'
import type { ListParameters } from '@campus/engine/rest/declare/declaration'
import { idKind } from '@campus/engine/rest/declare/fields/bounds'
import { boolean, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { timeKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

const staff = role('Advanced Staff')

const MAX_DAYS = 124
const DAY_MS = 86_400_000

/** Required range of a query (spec: school 5). */
const PERIOD: ListParameters = {
  named: {
    begin_at: {
      kind: timeKind,
      nullable: false,
      required: true,
      description: 'the day or time from which on things happened',
      example: '2026-01-01T00:00:00Z',
      asks: { from: 'event_at' },
    },
    end_at: {
      kind: timeKind,
      nullable: false,
      required: true,
      description: `the day or time until which they happened, at most ${MAX_DAYS} days after \`begin_at\``,
      example: '2026-03-31T00:00:00Z',
      asks: { upTo: 'event_at' },
    },
    user_id: {
      kind: idKind,
      nullable: true,
      description: 'id of the user to whom they happened',
      asks: { filter: 'user_id' },
    },
  },
  together({ begin_at, end_at }) {
    const [begin, end] = [Date.parse(String(begin_at)), Date.parse(String(end_at))]
    if (end < begin)
      return [
        'end_at',
        message('{field} {fault}.', {
          field: 'end_at',
          fault: message('must not be before {field}', { field: 'begin_at' }),
        }),
      ]
    // A day as the end means its last millisecond.
    if (Math.floor((end - begin) / DAY_MS) > MAX_DAYS)
      return ['end_at', message('end_at must be at most {days} days after begin_at.', { days: MAX_DAYS })]
    return undefined
  },
}

export const journals = resource({
  name: 'journals',
  summary: 'Something that happened to a user of a campus, written down by the service itself.',
  retainedTexts: 'kinds of records and reasons of points',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    user_id: described('id of the user to whom it happened', reference('users')),
    item_type: described('sort of what it is about, as the name of a class: `User`, `ScaleTeam`', text({ max: 255 })),
    item_id: described('id of what it is about, which may be gone', integer()),
    cursus_id: described(
      'id of the course that the user followed; null where there was none',
      reference('cursus', { nullable: true }),
    ),
    campus_id: described('id of the primary campus that the user had', reference('campus')),
    reason: described('what happened: `created`, `closed`, `corrected`', text()),
    ...timestamps(),
    event_at: described('when it happened', time()),
    alumni: described('whether the user was an alumnus then', boolean()),
    closed: described('whether the account of the user was closed then', boolean()),
  },
  index: { customFilters: { event: whenSet('event_at') } },
  parents: [under('campus', { parameters: PERIOD })],
  actions: { index: staff, show: staff },
})
