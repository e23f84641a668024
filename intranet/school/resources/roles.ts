import { open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { authorizeRole } from '../../access/powers.ts'
import { destroyRole, updateRole } from '../../oauth/role-actions.ts'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const staff = role('Advanced Staff')

export const roles = resource({
  name: 'roles',
  summary: 'A privilege that staff grant to applications and people.',
  cachedInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what it lets an application do', text({ nullable: true })),
    ...timestamps({ hidden: true }),
  },
  representations: { embedded: ['id', 'name'] },
  index: { defaultSort: ['name', '-id'] },
  parents: [under('users', { through: joins.rolesUsers })],
  // Removing a role removes it from its holders.
  dependents: { deleted: ['application_roles.role_id', 'roles_users.role_id', 'second_factor_requirements.role_id'] },
  actions: {
    index: open,
    show: open,
    create: { access: staff },
    update: { access: staff, perform: updateRole },
    destroy: { access: staff, perform: destroyRole },
  },
})

export const rolesUsers = resource({
  name: 'roles_users',
  summary:
    'A user has a role at the school, by which staff see and change records on the pages; applications have roles of their own.',
  large: true,
  authorize: authorizeRole,
  fields: {
    id: integer(),
    user_id: reference('users', { required: true }),
    role_id: reference('roles', { required: true }),
    ...timestamps(),
  },
  parents: [under('users', { actions: ['index', 'create'] }), under('roles', { actions: ['index', 'create'] })],
  actions: permit({ read: open, write: staff }),
})
