import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'

/** Highest id of the roles that the service checks by name. Roles of a school come after. */
const LAST_OWN_ID = 100

/** Roles that the service checks keep their names. */
export async function updateRole(tx: Handle, { id, values, now }: ActionInput): Promise<number> {
  const { name } = await tx.kysely.selectFrom('roles').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  if (id <= LAST_OWN_ID && values.name !== undefined && values.name !== name) {
    throw unprocessable({ name: ['cannot be changed, since the service asks for this role by its name'] })
  }
  await tx.kysely
    .updateTable('roles')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .execute()
  return id
}

/** Removes a role, also from its holders. Roles that the service checks cannot be removed. */
export async function destroyRole(tx: Handle, { id }: ActionInput): Promise<number> {
  if (id <= LAST_OWN_ID) throw unprocessable({ base: ['A role that the service asks for cannot be removed.'] })
  await tx.kysely.deleteFrom('roles').where('id', '=', id).execute()
  return id
}
