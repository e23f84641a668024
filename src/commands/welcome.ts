import type { Database } from '../database/database.ts'
import { banner } from '../demo/banner.ts'
import { findDemonstration } from '../demo/demonstration.ts'
import { createFirstLink } from '../domain/accounts/first-administrator.ts'
import type { Config } from '../settings/config.ts'

/** The text to print after the start: how to sign in, and how to call the service. */
export async function welcome(address: string, config: Config, database: Database): Promise<string> {
  const demonstration = await findDemonstration(config, database)
  const firstLink = demonstration ? undefined : await createFirstLink(database, new Date())
  return banner({ address, config, demonstration, firstLink })
}
