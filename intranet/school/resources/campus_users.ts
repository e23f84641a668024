import { open, permit } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { authorizeMembership } from '../../access/powers.ts'
import { setAsPrimary } from '../domain/accounts/primary-campus.ts'
import { role } from './access.ts'

const staff = role('Advanced Staff')

export const campusUsers = resource({
  name: 'campus_users',
  summary: 'A user belongs to a campus; one of theirs is the primary one.',
  large: true,
  aggregates: { groups: [['campus_id', 'is_primary']] },
  authorize: authorizeMembership,
  fields: {
    id: integer(),
    user_id: reference('users', { required: true }),
    campus_id: reference('campus', { required: true }),
    is_primary: described('whether it is the primary campus of the user; one is', boolean()),
    ...timestamps(),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [under('users', { actions: ['index', 'create'] }), under('campus')],
  payload: {
    checks: {
      campus_users_primary_key: ['is_primary', 'is true of another campus of this user already; set it to false there'],
    },
  },
  lockedAfter: ['user_id'],
  calls: {
    subject: 'user_id',
    on: { updated: { changes: ['create', 'destroy'], columns: ['user_id', 'campus_id', 'is_primary'] } },
  },
  actions: {
    ...permit({ read: open, write: staff }),
    members: {
      set_as_primary: {
        access: staff,
        description: 'makes the campus the primary one of the user',
        method: 'POST',
        perform: setAsPrimary,
      },
    },
  },
})
