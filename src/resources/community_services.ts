import { invalidateService, scheduleFault, validateService } from '../domain/community-services.ts'
import { all, role, scope } from '../rest/declare/access.ts'
import { throughRecord } from '../rest/declare/association.ts'
import { choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { one } from '../rest/declare/fields/embeds.ts'
import { whenRelated, whenSet } from '../rest/declare/filters.ts'
import { resource, under } from '../rest/declare/resource.ts'
import * as joins from './join-tables.ts'

const reader = scope('tig')
const staff = { access: all(scope('tig'), role('Basic Staff')) }

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const communityServices = resource({
  name: 'community_services',
  singular: 'community_service',
  summary: 'Hours of work for the campus, by which a user makes up for what led to a close.',
  fields: {
    id: integer(),
    duration: integer({ oneOf: [7200, 14_400, 28_800], unit: 'seconds' }),
    schedule_at: time(optional),
    occupation: text({ max: 255, ...optional }),
    state: choice(['schedule', 'validated', 'invalidated']),
    created_at: time(),
    updated_at: time(),
    close: one('closes', 'embedded'),
    close_id: reference('closes', hiddenOptional),
    tiger_id: reference('users', hiddenOptional),
    token: text(hiddenOptional),
  },
  representations: { embedded: ['id', 'duration', 'schedule_at', 'occupation', 'state', 'created_at', 'updated_at'] },
  index: {
    sort: [
      'id',
      'close_id',
      'tiger_id',
      'duration',
      'schedule_at',
      'occupation',
      'token',
      'state',
      'created_at',
      'updated_at',
    ],
    defaultSort: ['-created_at', '-id'],
    scopes: {
      campus_id: whenRelated(throughRecord('closes', 'close_id', joins.campusOfUser)),
      schedule: whenSet('schedule_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'schedule_at'], default: 'created_at' },
  parents: [under('closes')],
  payload: {
    accepts: ['duration', 'occupation', 'schedule_at', 'close_id', 'tiger_id'],
    requires: ['duration'],
    rules: { schedule_at: scheduleFault },
  },
  actions: {
    index: reader,
    show: reader,
    create: staff,
    update: staff,
    destroy: staff,
    members: {
      validate: { ...staff, perform: validateService },
      invalidate: { ...staff, perform: invalidateService },
    },
  },
})
