import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from '@campus/engine/base/progress'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { prepareData } from '../data.ts'
import type { PeersOptions } from './options.ts'

export type Shared = {
  readonly url: string
  readonly database: Database
  close(): Promise<void>
}

/** Settings for a server that has the machine to itself. Those of the embedded server are for a laptop. */
const SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  max_wal_size: '4GB',
  max_parallel_workers_per_gather: '2',
}
/** Connections of all servers, with their pools and administrative connections. */
const CONNECTIONS = 200

/** Opens the database that all sides share, in this folder unless one is named, and seeds it where it is empty. */
export async function openShared(folder: string, options: PeersOptions, progress: Progress): Promise<Shared> {
  const server = options.databaseUrl
    ? undefined
    : await EmbeddedServer.open({ data: join(folder, 'database'), connections: CONNECTIONS, settings: SETTINGS })
  const url = (options.databaseUrl ?? server?.url) as string
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
  const close = async () => {
    await database.close()
    await server?.close()
  }
  try {
    await prepareData(database, { ...options, databaseUrl: url }, progress)
    await database.background.rows('vacuum analyze users')
    await database.background.rows('vacuum analyze locations')
    return { url, database, close }
  } catch (error) {
    await close()
    throw error
  }
}

const BUSY = `select 1 from pg_stat_activity
  where datname = current_database() and state = 'active' and pid <> pg_backend_pid() limit 1`

/** Resolves when no statement runs any more: the next side must not wait for what the former has left. */
export async function settle(database: Database): Promise<void> {
  while ((await database.rows(BUSY)).length > 0) await sleep(20)
}
