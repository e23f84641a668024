import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
  let manifest: Manifest | undefined
  async function* bytes(): AsyncGenerator<Buffer> {
    manifest = yield* backUp({ ...source, isEncrypted: source.closing !== undefined })
  }
  await write(await pack(bytes(), source.closing))
  return manifest as unknown as Manifest
}

/** Writes an archive to a file that nobody else may read. It has its name only when it is whole, and on the disk. */
export async function writeArchive(source: ArchiveSource, path: string): Promise<Manifest> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    const manifest = await makeArchive(source, (bytes) =>
      pipeline([bytes, file.createWriteStream({ flush: true })], { signal: source.signal ?? NEVER }),
    )
    await rename(part, path)
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await file.close().catch(() => {}) // The stream has closed it, mostly.
  }
}

/** Writes an archive to a stream, such as the standard output. */
export const streamArchive = (source: ArchiveSource, target: Writable): Promise<Manifest> =>
  makeArchive(source, (bytes) => pipeline(bytes, target, { end: false }))

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
