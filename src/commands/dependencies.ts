import type { Config } from '../base/config.ts'
import type { Database } from '../database/database.ts'
import type { Sealing } from '../webhooks/sealing.ts'

/** What operations work on: an open database, and the settings that say where its files are. */
export type Dependencies = {
  readonly database: Database
  readonly config: Config
  /** Seals secrets for a process that sends deliveries. */
  readonly sealing: () => Promise<Sealing>
}
