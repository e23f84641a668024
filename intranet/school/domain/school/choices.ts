import type { Handle } from '@campus/engine/database/database'

export type Named = { readonly id: number; readonly name: string }

export const allCampuses = ({ kysely }: Pick<Handle, 'kysely'>) =>
  kysely.selectFrom('campus').select(['id', 'name', 'endpoint_id']).orderBy('name').orderBy('id').execute()

export const allCursus = ({ kysely }: Pick<Handle, 'kysely'>): Promise<Named[]> =>
  kysely.selectFrom('cursus').select(['id', 'name']).orderBy('name').orderBy('id').execute()
