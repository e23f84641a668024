import type { Handle } from '@campus/engine/database/database'
import { recordAccountChange } from '../../../access/account-changes.ts'
import { pathOfPicture, type StoredPicture, takePicture } from '../../../services/attachments/profile-pictures.ts'
import type { Actor } from '../../../services/audit/audit.ts'

type Change = {
  readonly userId: number
  /** Undefined takes the picture away. */
  readonly picture: StoredPicture | undefined
  readonly actor: Actor
  readonly now: Date
}

/** Gives somebody another profile picture. Their campus is called about it, as about any change of `image`. */
export async function changeProfilePicture(tx: Handle, { userId, picture, actor, now }: Change): Promise<void> {
  if (picture) await takePicture(tx, userId, picture, now)
  await tx.kysely
    .updateTable('users')
    .set({ image: picture ? pathOfPicture(picture) : null, updated_at: now })
    .where('id', '=', userId)
    .execute()
  await recordAccountChange(tx, now, {
    kind: 'account_changed',
    actor,
    subjectId: userId,
    details: { fields: 'image' },
  })
}
