import { message } from '@campus/engine/base/languages/say'
import { permit } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import { boolean, date, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { whenCurrent, whenRelated } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const director = role('Advanced Staff')
const staff = director

const optional = { nullable: true } as const

export const antiGravUnits = resource({
  name: 'anti_grav_units',
  summary: 'A sort of pause for which a student may be kept from the black hole.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what the pause is for', text(optional)),
    ...timestamps(),
  },
  index: { sort: { except: ['description'] } },
  actions: permit({ read: director, write: staff }),
})

export const antiGravUnitsUsers = resource({
  name: 'anti_grav_units_users',
  summary: 'A user pauses: from when, until when, and why.',
  retainedTexts: 'reasons of staff',
  wrapped: true,
  large: true,
  fields: {
    id: integer(),
    user_id: reference('users', { required: true }),
    anti_grav_unit_id: described(
      'id of the sort of pause; null where none is named',
      reference('anti_grav_units', optional),
    ),
    begin_date: described('first day of the pause', date()),
    expected_end_date: described('day on which it is expected to end', date(optional)),
    end_date: described('day on which it ended; null while it goes on', date(optional)),
    reason: described('why the user pauses', text(optional)),
    is_free: described('whether it is granted outside the usual allowance', boolean()),
    close_id: described('id of the close that came with it; null where there is none', reference('closes', optional)),
    ...timestamps(),
    internship_id: described(
      'id of the internship that it is for; never filled',
      integer({ nullable: true, hidden: true }),
    ),
  },
  index: {
    customFilters: {
      cursus_id: described(
        'whose user takes or took part in one of these cursus',
        whenRelated(through(joins.cursusUsers, 'cursus', { by: 'user_id' })),
      ),
      active: whenCurrent('begin_date', 'end_date'),
    },
  },
  parents: [under('users'), under('campus', { by: joins.campusOfUser })],
  payload: {
    accepts: { except: ['internship_id'] },
    beginsNow: ['begin_date'],
    checks: {
      anti_grav_units_users_expected_end_date_check: [
        'expected_end_date',
        message('must not be before {field}', { field: 'begin_date' }),
      ],
      anti_grav_units_users_end_date_check: [
        'end_date',
        message('must not be before {field}', { field: 'begin_date' }),
      ],
    },
  },
  actions: permit({ read: director, write: staff }),
})
