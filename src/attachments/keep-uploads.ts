import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { dropUploads } from '../http/multipart.ts'
import type { Staging } from '../http/staging.ts'
import type { FileKeeper } from '../rest/engine.ts'
import { contentTypeOf, type FileKind } from './content-types.ts'
import type { FileStore } from './file-store.ts'
import { storeFile } from './stored-files.ts'

/** Bytes: of a file of each kind, and of a whole body. */
export type UploadLimits = Readonly<Record<FileKind | 'body', number>>

type KeepingDependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly store: FileStore
  readonly staging: Staging
  readonly limits: UploadLimits
}

/** Keeps uploads whose content is of the kind that their field is named for. */
export function uploadKeeper({ database, clock, store, staging, limits }: KeepingDependencies): FileKeeper {
  const { body: maxBodyBytes, ...maxBytes } = limits
  return {
    limits: { maxBytes, maxBodyBytes },
    async keep({ staged }, field) {
      if (!staged) throw new Error('a file that was not staged cannot be kept')
      const type = await contentTypeOf(staged.path, staged.bytes, field as FileKind)
      return storeFile({ database, store, now: clock.now() }, staged, type)
    },
    drop: (body) => dropUploads(body, staging),
  }
}
