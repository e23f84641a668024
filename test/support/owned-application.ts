import { createApplication } from './application.ts'
import type { World } from './campus.ts'

/** A public application of this user, which may make as many requests as it likes. */
export async function ownedApplication({ database }: World, owner: number, scopes: readonly string[]): Promise<number> {
  const rates = { rate_per_second: 1_000_000, rate_per_hour: 1_000_000 }
  const { id } = await database.transaction((tx) => createApplication(tx, { name: 'Of the owner', scopes, ...rates }))
  await database.kysely
    .updateTable('applications')
    .set({ owner_id: owner, public: true })
    .where('id', '=', id)
    .execute()
  return id
}
