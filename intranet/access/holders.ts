import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

export type RoleHolder = {
  readonly role: string
  readonly id: number
  readonly login: string
  readonly image: string | null
}

/** Maximum number of people listed for each role. */
const MAX_HOLDERS = 12

/** Returns the people who got each role first, by role and login. */
export const roleHolders = ({ kysely }: Pick<Handle, 'kysely'>): Promise<RoleHolder[]> =>
  kysely
    .selectFrom('roles_users')
    .innerJoin('roles', 'roles.id', 'role_id')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['roles.name as role', 'users.id', 'users.login', 'users.image'])
    .where('users.closed_at', 'is', null)
    .where(
      sql<boolean>`roles_users.id in (select m.id from roles_users m where m.role_id = roles.id order by m.id limit ${MAX_HOLDERS})`,
    )
    .orderBy('roles.name')
    .orderBy('users.login')
    .execute()
