import { message } from '@campus/engine/base/languages/say'
import { open, permit } from '@campus/engine/rest/declare/access'
import { boolean, float, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenCurrent, whenFuture, whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'
import { ignoredParameter } from './parameters.ts'

export const cursusUsers = resource({
  name: 'cursus_users',
  summary: 'A user takes part in a cursus, from a day on, with a level and skills of their own.',
  retainedTexts: 'grades',
  large: true,
  recordsRows: true,
  aggregates: {
    groups: [['cursus_id']],
    times: ['created_at', 'updated_at', 'begin_at', 'end_at'],
    timesBy: { column: 'cursus_id', times: ['created_at'] },
  },
  fields: {
    id: integer(),
    begin_at: described('when the user entered the cursus', time()),
    end_at: described('when the user left or leaves it; null while no end is set', time({ nullable: true })),
    grade: described('rank reached in the cursus; null before the first', text({ nullable: true, isOneLine: true })),
    level: described('level reached, from 0; the decimals are the way to the next', float({ min: 0, max: 1000 })),
    skills: described(
      'levels of the user in the skills of the cursus',
      many('cursus_users_skills', 'record', { order: 'skill_id' }),
    ),
    cursus_id: reference('cursus', { required: true }),
    has_coalition: described('whether the user has a coalition in the cursus', boolean()),
    blackholed_at: described('when the time of the user runs out; null where it does not', time({ nullable: true })),
    ...timestamps(),
    user: one('users', 'short'),
    cursus: one('cursus', 'embedded'),
    user_id: reference('users', { hidden: true, required: true }),
  },
  index: {
    sort: { except: ['grade'] },
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      active: whenCurrent('begin_at', 'end_at'),
      campus_id: described('whose user belongs to one of these campuses', whenRelated(joins.campusOfUser)),
      end: whenSet('end_at'),
      future: whenFuture('begin_at'),
      blackholed: whenSet('blackholed_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'begin_at', 'end_at'], default: 'created_at' },
  parents: [under('users', { actions: ['index', 'create'] }), under('cursus', { actions: ['index', 'graph'] })],
  payload: {
    extra: {
      skip_begin_validation: ignoredParameter('ignored; any begin is allowed', booleanKind),
    },
    nested: { skills_attributes: { resource: 'cursus_users_skills' } },
    beginsNow: ['begin_at'],
    checks: { cursus_users_check: ['end_at', message('must not be before {field}', { field: 'begin_at' })] },
  },
  dependents: { deleted: ['cursus_users_skills.cursus_user_id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})
