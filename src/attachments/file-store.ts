import type { Readable } from 'node:stream'
import type { StagedFile } from '../http/uploaded-file.ts'

/** Both ends are included. */
export type ByteRange = { readonly first: number; readonly last: number }

/** A place for files that are written once, whole or not at all, and never changed. Every verb throws 503 while it is away. */
export type FileStore = {
  /** Takes the staged file; when it is done the file is there for good. The staged one may be gone afterwards. */
  put(key: string, file: StagedFile, contentType: string): Promise<void>
  /** Opens a stream of the bytes; undefined where there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes the file, if there is one. */
  remove(key: string): Promise<void>
}
