import { hash, randomBytes } from 'node:crypto'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { notFound, unprocessable } from '@campus/engine/errors'
import type { Actor } from '../../../services/audit/audit.ts'
import { recordWrite } from '../../../services/audit/record-audits.ts'
import { insertRow } from '../rows.ts'

export type Kiosk = { readonly id: number; readonly campusId: number; readonly name: string }

const MAX_KIOSKS = 50

const digestOf = (token: string) => hash('sha256', token)

type Wanted = { readonly campusId: number; readonly name: string; readonly actor: Actor; readonly now: Date }

/** Registers a screen, and returns its token. Only a digest of the token is stored. Throws 422 if the campus has too many screens. */
export async function createKiosk(tx: Handle, { campusId, name, actor, now }: Wanted): Promise<string> {
  // Locks the campus, so that concurrent requests count each other's screens.
  await lockRow(tx, 'campus', campusId)
  if ((await kiosksOf(tx, campusId)).length >= MAX_KIOSKS)
    throw unprocessable({
      base: [
        message('A campus can have at most {most} screens. Take back the link of a screen first.', {
          most: MAX_KIOSKS,
        }),
      ],
    })
  const token = randomBytes(32).toString('base64url')
  const id = await insertRow(tx, 'kiosks', {
    campus_id: campusId,
    name,
    token_digest: digestOf(token),
    created_at: now,
    updated_at: now,
  })
  await recordWrite(tx, { resource: 'kiosks', id, action: 'create', actor, now })
  return token
}

export async function findKiosk({ kysely }: Pick<Handle, 'kysely'>, token: string): Promise<Kiosk | undefined> {
  return kysely
    .selectFrom('kiosks')
    .select(['id', 'campus_id as campusId', 'name'])
    .where('token_digest', '=', digestOf(token))
    .executeTakeFirst()
}

export const kiosksOf = ({ kysely }: Pick<Handle, 'kysely'>, campusId: number) =>
  kysely
    .selectFrom('kiosks')
    .select(['id', 'name', 'created_at'])
    .where('campus_id', '=', campusId)
    .orderBy('id', 'desc')
    .limit(MAX_KIOSKS)
    .execute()

type Chosen = { readonly id: number; readonly campusId: number; readonly actor: Actor; readonly now: Date }

/** Throws 404. */
export async function deleteKiosk(tx: Handle, { id, campusId, actor, now }: Chosen): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('kiosks')
    .where('id', '=', id)
    .where('campus_id', '=', campusId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('There is no such screen.')
  await recordWrite(tx, { resource: 'kiosks', id, action: 'destroy', actor, now })
}
