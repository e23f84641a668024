import type { Readable } from 'node:stream'
import type { StagedFile } from '@campus/engine/http/uploaded-file'

/** Both ends are included. */
export type ByteRange = { readonly first: number; readonly last: number }

/** Stores files that are written once, completely or not at all. Each method throws 503 while the store is unavailable. */
export type FileStore = {
  /** Stores a staged file, which may be removed afterwards. */
  put(key: string, file: StagedFile, contentType: string): Promise<void>
  /** Opens a stream of the bytes, or returns undefined if the file does not exist. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  remove(key: string): Promise<void>
}
