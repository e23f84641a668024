import { all } from '@campus/engine/rest/declare/access'
import { becomes } from '@campus/engine/rest/declare/change-condition'
import { choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { nullWhereHidden } from '@campus/engine/rest/declare/fields/guarded'
import { whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { always, type Guard } from '@campus/engine/rest/declare/guard'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { CLOSE_KINDS } from '../domain/accounts/close-kinds.ts'
import { closeAgain, createClose, destroyClose, unclose, updateClose } from '../domain/accounts/closes.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'

const staff = all(scope('tig'), role('Basic Staff'))
/** Shows the reason of a close only to those who may see closes. */
export const REASON_IS_SECRET: Guard = { hides: always, except: staff }
const advanced = all(scope('tig'), role('Advanced Staff'))

const optional = { nullable: true } as const

export const closes = resource({
  name: 'closes',
  summary: 'The closing of an account: while one of theirs stands, a user is shut out.',
  retainedTexts: 'reasons of staff',
  large: true,
  fields: {
    id: integer(),
    // spec: access 14
    reason: described(
      'why the account was closed; null for those who may not see closes',
      nullWhereHidden(REASON_IS_SECRET, text({ required: true })),
    ),
    state: described('`close` while it shuts the user out, `unclose` once it is lifted', choice(['close', 'unclose'])),
    ...timestamps(),
    end_at: described('until when it is meant to last; lifts nothing by itself', time(optional)),
    kind: described('what sort of reason it has', choice(CLOSE_KINDS, { required: true })),
    community_services: described('work by which the user makes up for it', many('community_services', 'embedded')),
    user: described('user who is shut out', one('users', 'short')),
    closer: described(
      'user who closed the account; `{}` where nobody is named',
      one('users', 'short', { absent: '{}' }),
    ),
    user_id: described('id of the user who is shut out', reference('users', { hidden: true, required: true })),
    closer_id: described(
      'id of the user who closed the account; null where nobody is named',
      reference('users', { nullable: true, hidden: true }),
    ),
    jid: described('id of a job of old clients; never filled', text({ nullable: true, hidden: true })),
  },
  webhook: {
    instead: {
      id: integer(),
      reason: nullWhereHidden(REASON_IS_SECRET, text()),
      state: text(),
      kind: text(),
      user: one('users', 'short'),
      created_at: time(),
      updated_at: time(),
      community_services: many('community_services', 'in_webhook'),
      closer: one('users', 'by_login', { absent: '{}' }),
    },
  },
  representations: { embedded: ['id', 'reason', 'state', 'created_at', 'updated_at'] },
  index: {
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      campus_id: described('whose user belongs to one of these campuses', whenRelated(joins.campusOfUser)),
      end: whenSet('end_at'),
    },
  },
  parents: [under('users', { by: 'user_id', actions: ['index', 'create'] })],
  payload: {
    accepts: { except: ['jid'] },
    triggersOn: ['state'],
    nested: { community_services_attributes: { resource: 'community_services' } },
  },
  dependents: { deleted: ['community_services.close_id'], released: ['anti_grav_units_users.close_id'] },
  calls: {
    subject: 'user_id',
    on: { closed: { changes: ['close'] } },
    record: {
      id: integer(),
      user_id: integer(),
      closer_id: integer(optional),
      reason: text(),
      state: text(),
      created_at: time(),
      updated_at: time(),
    },
  },
  events: {
    close: becomes('state', 'close', 'An account is closed for this reason.'),
    unclose: becomes('state', 'unclose', 'The close is lifted.'),
  },
  actions: {
    index: staff,
    show: staff,
    create: { access: staff, perform: createClose },
    update: { access: staff, perform: updateClose },
    destroy: { access: advanced, perform: destroyClose },
    members: {
      close: {
        access: staff,
        description: 'puts a lifted close in force again, which shuts the user out',
        perform: closeAgain,
      },
      unclose: {
        access: staff,
        description: 'lifts the close; the user may sign on again once no other one stands',
        perform: unclose,
      },
    },
  },
})
