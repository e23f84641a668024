import type { Clock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { dropUploads } from '@campus/engine/http/multipart'
import type { Staging } from '@campus/engine/http/staging'
import type { PayloadFiles } from '@campus/engine/rest/engine'
import { CONTENT_OF, type Content, contentTypeOf } from './content-types.ts'
import type { FileStore } from './file-store.ts'
import { storeFile } from './stored-files.ts'

/** Maximum bytes of a file with each content, and of a whole body. */
export type UploadLimits = Readonly<Record<Content | 'body', number>>

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly store: FileStore
  readonly staging: Staging
  readonly limits: UploadLimits
}

/** Stores uploads whose content their field allows. */
export function uploadReceiver({ database, clock, store, staging, limits }: Dependencies): PayloadFiles {
  const maxBytes = Object.fromEntries(Object.entries(CONTENT_OF).map(([field, content]) => [field, limits[content]]))
  return {
    limits: { maxBytes, maxBodyBytes: limits.body },
    async store({ staged }, field) {
      if (!staged) throw new Error('a file that was not staged cannot be kept')
      const content = CONTENT_OF[field]
      if (!content) throw new Error(`nobody knows what belongs into files of ${field}`)
      const type = await contentTypeOf(staged.path, staged.bytes, content)
      return storeFile({ database, store, now: clock.now() }, staged, type)
    },
    removeStaged: (body) => dropUploads(body, staging),
  }
}
