import { CLOSE_KINDS, closeAgain, createClose, destroyClose, unclose, updateClose } from '../domain/closes.ts'
import { all, role, scope } from '../rest/declare/access.ts'
import { choice, integer, reference, text, time } from '../rest/declare/fields/columns.ts'
import { many, one } from '../rest/declare/fields/embeds.ts'
import { nullWhereHidden } from '../rest/declare/fields/guarded.ts'
import { whenRelated, whenSet } from '../rest/declare/filters.ts'
import { always, type Guard } from '../rest/declare/guard.ts'
import { resource, under } from '../rest/declare/resource.ts'
import * as joins from './join-tables.ts'

const staff = all(scope('tig'), role('Basic Staff'))
/** Why an account was closed is told to those who may see closes, wherever it stands. */
export const REASON_IS_SECRET: Guard = { hides: always, except: staff }
const advanced = all(scope('tig'), role('Advanced Staff'))

const optional = { nullable: true } as const

export const closes = resource({
  name: 'closes',
  singular: 'close',
  summary: 'The closing of an account: while one of theirs stands, a user is shut out.',
  fields: {
    id: integer(),
    reason: nullWhereHidden(REASON_IS_SECRET, text()),
    state: choice(['close', 'unclose']),
    created_at: time(),
    updated_at: time(),
    end_at: time(optional),
    kind: choice(CLOSE_KINDS),
    community_services: many('community_services', 'embedded'),
    user: one('users', 'short'),
    closer: one('users', 'short', { absent: '{}' }),
    user_id: reference('users', { hidden: true }),
    closer_id: reference('users', { nullable: true, hidden: true }),
    jid: text({ nullable: true, hidden: true }),
  },
  representations: { embedded: ['id', 'reason', 'state', 'created_at', 'updated_at'] },
  index: {
    sort: ['id', 'user_id', 'closer_id', 'reason', 'state', 'created_at', 'updated_at', 'kind', 'end_at', 'jid'],
    defaultSort: ['-created_at', '-id'],
    scopes: {
      campus_id: whenRelated(joins.campusOfUser),
      end: whenSet('end_at'),
    },
  },
  parents: [under('users', { by: 'user_id', actions: ['index', 'create'] })],
  payload: {
    accepts: ['user_id', 'kind', 'reason', 'closer_id', 'state', 'end_at'],
    requires: ['user_id', 'kind', 'reason'],
    moves: ['state'],
    nested: { community_services_attributes: { resource: 'community_services' } },
  },
  dependents: { deleted: ['community_services.close_id'], released: ['anti_grav_units_users.close_id'] },
  actions: {
    index: staff,
    show: staff,
    create: { access: staff, perform: createClose },
    update: { access: staff, perform: updateClose },
    destroy: { access: advanced, perform: destroyClose },
    members: {
      close: { access: staff, perform: closeAgain },
      unclose: { access: staff, perform: unclose },
    },
  },
})
