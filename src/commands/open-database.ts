import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { makePrivateFolder } from '../private-files.ts'

/** Opens the configured database; whoever opens the embedded one holds its folder's lock. Throws ConfigError. */
export async function openConfiguredDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl) return openServer(config.databaseUrl, config.databasePoolSize)
  const folder = join(config.data, 'database')
  await makePrivateFolder(folder)
  return openDatabase({ folder })
}

async function openServer(url: string, poolSize: number): Promise<Database> {
  try {
    return await openDatabase({ url, poolSize })
  } catch (error) {
    throw new ConfigError(`DATABASE_URL must name a database that answers; this one does not (${reasonOf(error)}).`)
  }
}

/** A host with several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || 'unknown reason'
}
