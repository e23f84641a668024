import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writePrivateFile } from '../../base/private-files.ts'
import { backUp, type Source } from './back-up.ts'
import type { Closing } from './encryption.ts'
import type { Manifest } from './format.ts'
import { pack } from './streams.ts'

export type ArchiveSource = Omit<Source, 'isEncrypted'> & {
  /** What the archive is encrypted with. */
  readonly closing: Closing | undefined
  /** Ends the work before its time. */
  readonly signal?: AbortSignal
}

const NEVER = new AbortController().signal

/** Makes an archive and hands its bytes to `write`, which resolves when all of them are where they are to be. */
export async function makeArchive(source: ArchiveSource, write: (bytes: Readable) => Promise<void>): Promise<Manifest> {
  const made = Promise.withResolvers<Manifest>()
  async function* bytes(): AsyncGenerator<Buffer> {
    made.resolve(yield* backUp({ ...source, isEncrypted: source.closing !== undefined }))
  }
  await write(await pack(bytes(), source.closing))
  return made.promise
}

/** Writes an archive to a file of mode 0600, which gets its name when it is complete and synced. */
export function writeArchive(source: ArchiveSource, path: string): Promise<Manifest> {
  return writePrivateFile(path, (file) =>
    makeArchive(source, (bytes) => pipeline([bytes, file], { signal: source.signal ?? NEVER })),
  )
}

/** Writes an archive to a stream, such as the standard output. */
export const streamArchive = (source: ArchiveSource, target: Writable): Promise<Manifest> =>
  makeArchive(source, (bytes) => pipeline(bytes, target, { end: false }))
