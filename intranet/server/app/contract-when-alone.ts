import type { Database } from '@campus/engine/database/database'
import { findFormerClients } from '@campus/engine/database/former-clients'
import { isToContract, migrate } from '@campus/engine/database/migrate'
import { repeatWork } from '@campus/engine/database/repeat-work'
import { anyDatabase } from '@campus/engine/database/tables'
import { storageOfResources } from '../../school/resources/declared.ts'

const LOOK_MS = 10_000

type Dependencies = {
  readonly database: Database
  /** Called with the migrations that removed what a former release needed. */
  readonly onContracted: (migrations: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/**
 * Runs contracting migrations when no process of a former release is connected any more, until the returned function is
 * called.
 */
export function contractWhenAlone({ database, onContracted, onError }: Dependencies): () => Promise<void> {
  const { kysely } = database.background
  const storage = storageOfResources()
  let isDone = false
  const work = async () => {
    if (isDone) return
    isDone = !(await isToContract(kysely, storage))
    if (isDone || (await findFormerClients(anyDatabase(kysely))).length > 0) return
    onContracted(await migrate(kysely, storage))
  }
  return repeatWork({ database, milliseconds: LOOK_MS, work, onError })
}
