import type { Database } from '@campus/engine/database/database'
import { createFirstLink } from '../school/domain/accounts/first-administrator.ts'
import type { Config } from '../settings/config.ts'
import { banner } from './banner.ts'
import type { Part, Started } from './part.ts'

/** Returns the text to print after a start: how to sign in, and how to call the service. */
export async function welcome(
  address: string,
  config: Config,
  database: Database,
  parts: readonly Part[],
): Promise<string> {
  const introduction = await introductionOf({ address, config, database }, parts)
  const firstLink = introduction ? undefined : await createFirstLink(database, new Date())
  return banner({ address, config, introduction, firstLink })
}

async function introductionOf(started: Started, parts: readonly Part[]): Promise<readonly string[] | undefined> {
  for (const { introduce } of parts) {
    const lines = await introduce?.(started)
    if (lines) return lines
  }
  return undefined
}
