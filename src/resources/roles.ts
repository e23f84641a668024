import { destroyRole, updateRole } from '../oauth/role-verbs.ts'
import { open, role } from '../rest/access.ts'
import { integer, text, time } from '../rest/fields/columns.ts'
import { resource, through, under } from '../rest/resource.ts'

const staff = { access: role('Advanced Staff') }

export const roles = resource({
  name: 'roles',
  singular: 'role',
  summary: 'A privilege that staff grant to applications and people.',
  keptInMemory: true,
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    description: text({ nullable: true }),
    created_at: time({ hidden: true }),
    updated_at: time({ hidden: true }),
  },
  forms: { embedded: ['id', 'name'] },
  index: { sort: ['id', 'name', 'description', 'created_at', 'updated_at'], defaultSort: ['name', '-id'] },
  parents: [under('users', through('roles_users', 'role_id', 'user_id'))],
  payload: { accepts: ['name', 'description'], requires: ['name'] },
  actions: {
    index: open,
    show: open,
    create: staff,
    update: { ...staff, perform: updateRole },
    destroy: { ...staff, perform: destroyRole },
  },
})
