import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'

/** Deletes the uploads of a team. Members may do so only until one of them has a mark. */
export async function resetTeamUploads(tx: Handle, { id, ownOnly }: ActionInput): Promise<number> {
  const taken = await tx.kysely.deleteFrom('teams_uploads').where('team_id', '=', id).returning('final_mark').execute()
  if (ownOnly && taken.some(({ final_mark }) => final_mark !== null)) {
    throw unprocessable({ base: ['marks that a program gave are taken back through a tutor only'] })
  }
  return id
}
