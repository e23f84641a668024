import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Finds the unused refresh tokens of a family among all that it ever had. */
export const indexes = {
  refresh_tokens_family_used_index: 'refresh_tokens (family_id, used_at)',
} as const

export const up = (db: AnyDatabase) => runScript(db, 'drop index if exists refresh_tokens_family_id_idx;')
