import { systemClock } from '../../base/clock.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { ENGINE_MIGRATIONS } from '../../database/engine-migrations.ts'
import type { Resource } from '../../rest/declare/declaration.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { createEngine, type Engine } from '../../rest/engine.ts'
import { resourceStorage } from '../../rest/read/list-indexes.ts'
import { ACCESS, libraryAddress, MIGRATIONS } from './library.ts'

const migrations = { modules: { ...ENGINE_MIGRATIONS, ...MIGRATIONS.modules } }

/** A database with the tables of a library, gone when it is closed. */
export async function libraryDatabase(): Promise<Database> {
  const { url, close } = await libraryAddress()
  const database = await openDatabase({ migrations, url })
  return { ...database, close: () => database.close().then(async () => void (await close())) }
}

/** The storage of these resources and of nothing else. */
export function storageOf(resources: readonly Resource[], neverCached: readonly string[] = []) {
  const registry = new Registry(resources, ACCESS)
  return {
    ...resourceStorage(registry),
    migrations,
    lockOrder: [],
    functions: [],
    triggers: [],
    retiredFunctions: [],
    recording: { neverCached, insertsUnrecorded: [], rowsRecorded: registry.rowsRecorded },
  }
}

/** An engine of a test's own resources, which it only reads. */
export const readingEngine = (database: Database, resources: readonly Resource[]): Promise<Engine> =>
  createEngine({
    database,
    clock: systemClock,
    wire: {
      baseUrl: '',
      picturesUrl: '',
      timeZone: 'UTC',
      now: () => new Date(),
      signed: (path) => path,
      signedUntil: () => Number.POSITIVE_INFINITY,
    },
    startHash: () => {
      throw new Error('nothing is written here')
    },
    resources,
    access: ACCESS,
    storage: storageOf(resources),
  })
