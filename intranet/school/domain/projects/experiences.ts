import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql, type Updateable } from 'kysely'
import type { Experiences } from '../../../schema.ts'
import { updateRow } from '../rows.ts'
import { updateLevels } from './levels.ts'

/** Counts new experience in the user's levels (spec: projects 32). Throws 422. */
export async function finishExperience(tx: Handle, { id, now }: ActionInput): Promise<number> {
  await checkOwner(tx, id)
  await updateLevels(tx, [], [await lockedPoints(tx, id)], now)
  return id
}

export async function changeExperience(
  tx: Handle,
  { id, values, now }: ActionInput<Updateable<Experiences>>,
): Promise<number> {
  if (Object.keys(values).length === 0) return id
  const former = await lockedPoints(tx, id)
  await updateRow(tx, 'experiences', id, values)
  await checkOwner(tx, id)
  await updateLevels(tx, [former], [await lockedPoints(tx, id)], now)
  return id
}

export async function deleteExperience(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const former = await lockedPoints(tx, id)
  await tx.kysely.deleteFrom('experiences').where('id', '=', id).execute()
  await updateLevels(tx, [former], [], now)
  return id
}

const lockedPoints = (tx: Handle, id: number) =>
  tx.kysely
    .selectFrom('experiences')
    .select(['user_id', 'cursus_id', 'skill_id', 'experience as points'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

async function checkOwner(tx: Handle, id: number): Promise<void> {
  const { rows } = await sql<{ isOwn: boolean }>`
    select e.user_id = coalesce(p.user_id, s.user_id) as "isOwn" from experiences e
    left join projects_users p on p.id = e.projects_user_id left join partnerships_users s on s.id = e.partnerships_user_id
    where e.id = ${id}`.execute(tx.kysely)
  if (!rows[0]?.isOwn) throw unprocessable({ experiancable_id: ['must be a part of the user’s own'] })
}
