import { sql } from 'kysely'
import type { ActionInput } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import { unprocessable } from '../../errors.ts'

/** Experience is earned by a part of the user's own in a project or partnership. Throws 422. */
export async function checkExperience(tx: Handle, { id }: ActionInput): Promise<number> {
  const { rows } = await sql<{ isOwn: boolean }>`
    select e.user_id = coalesce(p.user_id, s.user_id) as "isOwn" from experiences e
    left join projects_users p on p.id = e.projects_user_id left join partnerships_users s on s.id = e.partnerships_user_id
    where e.id = ${id}`.execute(tx.kysely)
  if (!rows[0]?.isOwn) throw unprocessable({ experiancable_id: ['must be a part of the user’s own'] })
  return id
}
