import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writePrivateFile } from '@campus/engine/base/private-files'
import { backUp, type Source } from './back-up.ts'
import type { Closing, Opening } from './encryption.ts'
import type { Contents } from './read-archive.ts'
import { compress, encryptPacked } from './streams.ts'
import { verifyArchive } from './verify-archive.ts'

export type ArchiveSource = Omit<Source, 'holdsKey'> & {
  readonly closing: Closing | undefined
  /** Leaves the secret key out of an encrypted archive. An archive without encryption never has it. */
  readonly withoutKey?: boolean
  readonly signal?: AbortSignal
}

const NEVER = new AbortController().signal

/**
 * Makes an archive, passes its bytes to `write` and checks them meanwhile. An archive for a public key is checked before its
 * encryption, since only the private key can decrypt it.
 */
export async function makeArchive(
  { closing, withoutKey = false, ...source }: ArchiveSource,
  write: (bytes: Readable) => Promise<void>,
): Promise<Contents> {
  const made = Promise.withResolvers<Contents>()
  async function* bytes(): AsyncGenerator<Buffer> {
    made.resolve(yield* backUp({ ...source, holdsKey: closing !== undefined && !withoutKey }))
  }
  const verified = (packed: Readable, opening?: Opening) =>
    Readable.from(verifyArchive(packed, opening), { objectMode: false })
  const packed = compress(bytes())
  try {
    if (!closing) await write(verified(packed))
    else if ('passphrase' in closing) await write(verified(await encryptPacked(packed, closing), closing))
    else await write(await encryptPacked(verified(packed), closing))
  } finally {
    // If the target could not be opened, the stream was never read and would go on reading the database.
    packed.destroy()
  }
  return made.promise
}

/** Writes an archive to a file of mode 0600, which gets its name when it is complete and synced. */
export function writeArchive(source: ArchiveSource, path: string): Promise<Contents> {
  return writePrivateFile(path, (file) =>
    makeArchive(source, (bytes) => pipeline([bytes, file], { signal: source.signal ?? NEVER })),
  )
}

/** Writes an archive to a stream, such as the standard output. */
export const streamArchive = (source: ArchiveSource, target: Writable): Promise<Contents> =>
  makeArchive(source, (bytes) => pipeline(bytes, target, { end: false }))
