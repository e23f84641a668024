import type { Progress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import type { Config } from '@campus/intranet/settings/config'
import { demonstrationFiles } from './demonstration-files.ts'

export type SeedSizes = {
  readonly users?: number | undefined
  readonly locations?: number | undefined
  readonly seed?: number | undefined
  readonly likeTheNetwork?: boolean | undefined
}

/** Fills the database with the demonstration school and stores its files. Returns the number of rows by table. */
export async function fillDatabase(
  database: Database,
  config: Config,
  sizes: SeedSizes,
  progress: Progress,
): Promise<Record<string, number>> {
  const { seed } = await import('./seeds/seed.ts') // Most starts do not need its long lists.
  return seed(database, { ...sizes, webservicesAreOn: true, files: demonstrationFiles(database, config) }, progress)
}
