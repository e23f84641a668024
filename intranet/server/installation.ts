import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Database } from '@campus/engine/database/database'
import { hasCluster } from '@campus/engine/database/embedded/cluster'
import { hasTables } from '@campus/engine/database/migrate'
import type { Config } from '../settings/config.ts'

type Installation = Pick<Config, 'data' | 'databaseUrl'>

/**
 * Refuses a data folder without a database, before anything is written to it. Accepts a locked folder, since the holder of the
 * lock may be making the database. Throws ConfigError.
 */
export async function requireInstallation(config: Installation): Promise<void> {
  if (config.databaseUrl || existsSync(join(config.data, 'campus.lock'))) return
  await requireCluster(config)
}

/** Refuses a data folder without a database. Throws ConfigError. */
export async function requireCluster({ data }: Pick<Config, 'data'>): Promise<void> {
  const isThere = await hasCluster(data).catch((error) => {
    // Taking the lock explains a folder that belongs to another account.
    if (codeOf(error) === 'EACCES') return true
    throw error
  })
  if (!isThere)
    throw new ConfigError(
      `There is no database in the folder ${data}. Set CAMPUS_DATA or --data to the data folder of the service, or DATABASE_URL to its database; "${typedCommand('serve')}" makes a new one.`,
    )
}

/** Refuses a database without the tables of the service. Throws ConfigError. */
export async function requireTables({ background }: Database, { data, databaseUrl }: Installation): Promise<void> {
  if (await hasTables(background.kysely)) return
  const where = databaseUrl ? 'that DATABASE_URL names' : `in the folder ${data}`
  const setting = databaseUrl
    ? 'DATABASE_URL to the database of the service'
    : 'CAMPUS_DATA to the data folder of the service'
  throw new ConfigError(
    `The database ${where} has no tables of this service. Set ${setting}, or make the tables with "${typedCommand('migrate')}".`,
  )
}
