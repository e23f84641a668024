import { all, permit } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import { choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { invalidateService, scheduleError, validateService } from '../domain/accounts/community-services.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'

const reader = scope('tig')
const staff = all(scope('tig'), role('Basic Staff'))

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const communityServices = resource({
  name: 'community_services',
  summary: 'Hours of work for the campus, by which a user makes up for what led to a close.',
  retainedTexts: 'tokens that nothing fills',
  large: true,
  aggregates: { times: ['created_at', 'updated_at', 'schedule_at'] },
  fields: {
    id: integer(),
    duration: described(
      'how long the work takes, in seconds',
      integer({ oneOf: [7200, 14_400, 28_800], unit: 'seconds', required: true }),
    ),
    schedule_at: described('when the work is to be done; null until it is planned', time(optional)),
    occupation: described('what is to be done', text({ max: 255, ...optional })),
    state: described(
      '`schedule` until staff find the work done or not done',
      choice(['schedule', 'validated', 'invalidated']),
    ),
    ...timestamps(),
    close: described('close that the work makes up for; null where there is none', one('closes', 'embedded')),
    close_id: reference('closes', hiddenOptional),
    tiger_id: described(
      'id of the user who oversees the work; null where nobody is named',
      reference('users', hiddenOptional),
    ),
    token: described('word of old clients; never filled', text(hiddenOptional)),
  },
  webhook: {
    embedded: {
      id: integer(),
      close_id: integer(optional),
      tiger_id: integer(optional),
      duration: integer(),
      schedule_at: time(optional),
      occupation: text(optional),
      token: text(optional),
      state: text(),
      created_at: time(),
      updated_at: time(),
    },
  },
  representations: { embedded: ['id', 'duration', 'schedule_at', 'occupation', 'state', 'created_at', 'updated_at'] },
  index: {
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      campus_id: described(
        'whose closed user belongs to one of these campuses',
        whenRelated(throughRecord('closes', 'close_id', joins.campusOfUser)),
      ),
      schedule: whenSet('schedule_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'schedule_at'], default: 'created_at' },
  parents: [under('closes')],
  payload: {
    accepts: { except: ['state', 'token'] },
    rules: { schedule_at: scheduleError },
  },
  actions: {
    ...permit({ read: reader, write: staff }),
    members: {
      validate: { access: staff, description: 'notes that the work was done', perform: validateService },
      invalidate: { access: staff, description: 'notes that the work was not done', perform: invalidateService },
    },
  },
})
