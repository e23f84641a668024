import type { Handle } from '../../database/database.ts'

/** Somebody who has a role at the school. */
export type RoleHolder = {
  readonly role: string
  readonly id: number
  readonly login: string
  readonly image: string | null
}

const MAX_HOLDERS = 1_000

/** The people with roles, by role and login. */
export const roleHolders = ({ kysely }: Pick<Handle, 'kysely'>): Promise<RoleHolder[]> =>
  kysely
    .selectFrom('roles_users')
    .innerJoin('roles', 'roles.id', 'role_id')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['roles.name as role', 'users.id', 'users.login', 'users.image'])
    .where('users.closed_at', 'is', null)
    .orderBy('roles.name')
    .orderBy('users.login')
    .limit(MAX_HOLDERS)
    .execute()
