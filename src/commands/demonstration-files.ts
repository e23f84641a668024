import { join } from 'node:path'
import { keepDemonstrationFiles } from '../attachments/demonstration/keep-files.ts'
import { openStore } from '../attachments/open-store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { SeedOptions } from '../database/seeds/world.ts'
import { Staging } from '../http/staging.ts'

/** Makes the files of the demonstration school where the configuration has files kept. */
export const demonstrationFiles =
  (database: Database, config: Pick<Config, 'files' | 's3'>): NonNullable<SeedOptions['files']> =>
  async (now) => {
    const store = await openStore(config)
    const staging = new Staging(join(config.files, 'incoming'))
    return keepDemonstrationFiles({ database, store, staging, now })
  }
