import { join } from 'node:path'
import type { Config } from '../base/config.ts'
import type { Progress } from '../base/progress.ts'
import { findSecretKey, storeSecretKey } from '../database/secret-key.ts'
import { FIRST_START_LOCK } from '../demo/demonstration.ts'
import { Staging } from '../http/staging.ts'
import { storageOfResources } from '../resources/declared.ts'
import type { Opening } from '../services/archive/encryption.ts'
import { type Restored, restore } from '../services/archive/restore.ts'
import { clearRestoreMarker } from '../services/archive/restore-marker.ts'
import { openStore } from '../services/attachments/open-store.ts'
import { openForCommand } from './open-database.ts'

type RestoreOptions = { readonly opening: Opening | undefined; readonly isTrial: boolean; readonly progress: Progress }

/** Fills the configured installation from an archive. Throws ArchiveError. */
export async function restoreInto(config: Config, file: string, options: RestoreOptions): Promise<Restored> {
  const opened = await openForCommand(config, 'restore')
  try {
    return await restore(file, {
      ...options,
      database: opened.database,
      store: await openStore(config),
      staging: new Staging(join(config.files, 'incoming')),
      secretKey: await findSecretKey(config),
      adoptKey: async (key) => void (await storeSecretKey(config, key)),
      storage: storageOfResources(),
      lock: FIRST_START_LOCK,
      now: new Date(),
    })
  } finally {
    await opened.close()
  }
}

/** Lets servers fill the database that a restore was killed in. */
export async function giveUpRestoring(config: Config): Promise<void> {
  const opened = await openForCommand(config, 'restore')
  try {
    await clearRestoreMarker(opened.database.rows)
  } finally {
    await opened.close()
  }
}
