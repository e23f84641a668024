import type { Readable } from 'node:stream'
import type { StagedFile } from '@campus/engine/http/uploaded-file'

/** Both ends are included. */
export type ByteRange = { readonly first: number; readonly last: number }

/**
 * Stores files that are written once, completely or not at all, and never changed. Each method throws 503 while the
 * store is unavailable.
 */
export type FileStore = {
  /** Stores the staged file, which may be removed afterwards. */
  put(key: string, file: StagedFile, contentType: string): Promise<void>
  /** Opens a stream of the bytes; undefined where there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes the file, if there is one. */
  remove(key: string): Promise<void>
}
