import { type AnyDatabase, run } from '../tables.ts'

/**
 * Most tokens are applications' own, which have neither a person nor a family, and are found by neither: their indexes need
 * not be written then.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'drop index access_tokens_resource_owner_id_idx, access_tokens_family_id_idx',
    'create index on access_tokens (resource_owner_id) where resource_owner_id is not null',
    'create index on access_tokens (family_id) where family_id is not null',
  )
}
