import { findDemonstration } from '@campus/demo/demonstration'
import { banner } from '@campus/demo/introduction'
import type { Database } from '@campus/engine/database/database'
import { createFirstLink } from '../school/domain/accounts/first-administrator.ts'
import type { Config } from '../settings/config.ts'

/** The text to print after the start: how to sign in, and how to call the service. */
export async function welcome(address: string, config: Config, database: Database): Promise<string> {
  const demonstration = await findDemonstration(config, database)
  const firstLink = demonstration ? undefined : await createFirstLink(database, new Date())
  return banner({ address, config, demonstration, firstLink })
}
