import { message } from '@campus/engine/base/languages/say'
import { open, permit } from '@campus/engine/rest/declare/access'
import { becomesSet } from '@campus/engine/rest/declare/change-condition'
import type { QueryActionDeclaration } from '@campus/engine/rest/declare/declaration'
import { dayOrTimeKind, timeZoneKind } from '@campus/engine/rest/declare/fields/calendar-kinds'
import { boolean, integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { when, whenFuture, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, sql } from '@campus/engine/rest/declare/sql'
import { readLocationsStats } from '../domain/school/locations-stats.ts'
import { role } from './access.ts'
import { optionalParameter } from './parameters.ts'

export const locations = resource({
  name: 'locations',
  summary: 'A user sits, or sat, at a seat of a campus; open while they are logged in.',
  retainedTexts: 'seats',
  large: true,
  recordsRows: true,
  aggregates: {
    groups: [['campus_id', 'primary', 'end_at?']],
    times: ['begin_at', 'end_at', 'updated_at'],
    timesBy: { column: 'campus_id', times: ['begin_at', 'end_at'] },
  },
  fields: {
    id: integer(),
    begin_at: described('when the user logged in', time()),
    end_at: described('when the user logged out; null while they are logged in', time({ nullable: true })),
    primary: described('whether it is the main place of the user at that time', boolean()),
    floor: described('floor of the seat', text({ nullable: true, isOneLine: true })),
    row: described('row of the seat on its floor', text({ nullable: true, isOneLine: true })),
    post: described('number of the seat in its row', text({ nullable: true, isOneLine: true })),
    host: described('name of the computer', text({ max: 255, required: true })),
    campus_id: reference('campus', { required: true }),
    user: one('users', 'short'),
    user_id: reference('users', { hidden: true, required: true }),
    updated_at: time({ hidden: true }),
  },
  webhook: {
    instead: {
      id: integer(),
      begin_at: time(),
      end_at: time({ nullable: true }),
      primary: boolean(),
      host: text(),
      campus_id: reference('campus'),
      user: one('users', 'by_login'),
    },
  },
  index: {
    sort: { except: ['floor', 'row', 'post', 'updated_at'] },
    defaultSort: ['-begin_at', '-id'],
    customFilters: {
      active: described('whose `end_at` is not set', when(sql`${column('end_at')} is null`)),
      inactive: whenSet('end_at'),
      future: whenFuture('begin_at'),
      end: whenSet('end_at'),
    },
  },
  graph: { fields: ['begin_at', 'end_at'], default: 'begin_at' },
  parents: [
    under('users', { actions: ['index', 'graph', 'create', 'update'] }),
    under('campus', { actions: ['index', 'graph'] }),
  ],
  payload: {
    beginsNow: ['begin_at'],
    checks: { locations_end_at_check: ['end_at', message('must not be before {field}', { field: 'begin_at' })] },
  },
  events: { close: becomesSet('end_at', 'The user has left the seat.') },
  actions: permit({ read: open, write: role('Basic Staff') }),
})

/** `GET /v2/users/:id/locations_stats` (spec: school 2). */
export const locationsStatsOfUser: QueryActionDeclaration = {
  access: open,
  description: 'tells how long the user was logged in on each day',
  parameters: {
    begin_at: optionalParameter(
      'since when; a day is the midnight with which it begins, and without it are four months',
      dayOrTimeKind,
    ),
    end_at: optionalParameter('until when, itself not included; now unless said', dayOrTimeKind),
    time_zone: optionalParameter(
      'IANA name of the zone in which days begin; that of the primary campus of the user unless said',
      timeZoneKind,
    ),
  },
  read: readLocationsStats,
  schema: () => ({
    type: 'object',
    additionalProperties: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{1,6}$' },
    description: 'Day → time as `HH:MM:SS.f`, the latest first; only days with time.',
  }),
}
