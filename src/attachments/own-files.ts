import { Readable } from 'node:stream'
import type { Database } from '../database/database.ts'
import type { Staging } from '../http/staging.ts'
import type { StagedFile } from '../http/uploaded-file.ts'
import type { FileStore } from './file-store.ts'
import { storeFile } from './stored-files.ts'

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

/** Stores what the service made itself, and gives its id. Nothing needs it yet. */
export const keepBytes = (dependencies: Dependencies, bytes: Buffer, contentType: string): Promise<number> =>
  staged(dependencies.staging, bytes, (file) => storeFile(dependencies, file, contentType))

/** Does something with a file of these bytes that is there only meanwhile. */
export async function staged<T>(staging: Staging, bytes: Buffer, work: (file: StagedFile) => Promise<T>): Promise<T> {
  const file = await staging.receive(Readable.from([bytes]), Number.POSITIVE_INFINITY)
  if (!file) throw new Error('a file of our own cannot be staged')
  try {
    return await work(file)
  } finally {
    await staging.drop(file.path)
  }
}
