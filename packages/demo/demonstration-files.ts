import { join } from 'node:path'
import type { Database } from '@campus/engine/database/database'
import { Staging } from '@campus/engine/http/staging'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import type { Config } from '@campus/intranet/settings/config'
import { storeDemonstrationFiles } from './files/store-files.ts'
import type { SeedOptions } from './seeds/world.ts'

/** Returns a function that stores the files of the demonstration school. */
export const demonstrationFiles =
  (database: Database, config: Pick<Config, 'files' | 's3'>): NonNullable<SeedOptions['files']> =>
  async (now, subjects) => {
    const store = await openStore(config)
    const staging = new Staging(join(config.files, 'incoming'))
    return storeDemonstrationFiles({ database, store, staging, now }, subjects)
  }
