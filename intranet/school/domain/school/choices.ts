import type { Handle } from '@campus/engine/database/database'

/** A record that may be chosen by its name. */
export type Named = { readonly id: number; readonly name: string }

/** Every campus by name, with the endpoint of its webservice. */
export const allCampuses = ({ kysely }: Pick<Handle, 'kysely'>) =>
  kysely.selectFrom('campus').select(['id', 'name', 'endpoint_id']).orderBy('name').orderBy('id').execute()

/** Every cursus by name. */
export const allCursus = ({ kysely }: Pick<Handle, 'kysely'>): Promise<Named[]> =>
  kysely.selectFrom('cursus').select(['id', 'name']).orderBy('name').orderBy('id').execute()
