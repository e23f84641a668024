import type { Handle } from '@campus/engine/database/database'
import { recordAccountChange } from '../../../access/account-changes.ts'
import { pathOfPicture, type StoredPicture, takePicture } from '../../../services/attachments/profile-pictures.ts'
import type { Actor } from '../../../services/audit/audit.ts'
import { updateRow } from '../rows.ts'

type Change = {
  readonly userId: number
  /** Undefined removes the picture. */
  readonly picture: StoredPicture | undefined
  readonly actor: Actor
  readonly now: Date
}

export async function changeProfilePicture(tx: Handle, { userId, picture, actor, now }: Change): Promise<void> {
  if (picture) await takePicture(tx, userId, picture, now)
  await updateRow(tx, 'users', userId, { image: picture ? pathOfPicture(picture) : null, updated_at: now })
  await recordAccountChange(tx, now, {
    kind: 'account_changed',
    actor,
    subjectId: userId,
    details: { fields: 'image' },
  })
}
