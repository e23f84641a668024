import { Readable } from 'node:stream'
import type { Database } from '../../database/database.ts'
import type { Staging } from '../../http/staging.ts'
import type { FileStore } from './file-store.ts'
import { storeFile } from './stored-files.ts'

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

/** Stores what the service made itself, and gives its id. Nothing needs it yet. */
export async function storeBytes(dependencies: Dependencies, bytes: Buffer, contentType: string): Promise<number> {
  const { staging } = dependencies
  const file = await staging.receive(Readable.from([bytes]), Number.POSITIVE_INFINITY)
  if (!file) throw new Error('a file of our own cannot be staged')
  try {
    return await storeFile(dependencies, file, contentType)
  } finally {
    await staging.drop(file.path)
  }
}
