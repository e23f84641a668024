import { PassThrough } from 'node:stream'
import { toError } from '@campus/engine/base/caught'
import type { Opening } from './encryption.ts'
import { ArchiveError } from './format.ts'
import { readPacked } from './read-archive.ts'

/**
 * Passes on the bytes of an archive, and reads them as `restore --check` does. Throws ArchiveError instead of ending if a
 * restore could not read them, so that the archive never gets its name.
 */
export async function* verifyArchive(
  bytes: AsyncIterable<Uint8Array>,
  opening: Opening | undefined,
): AsyncGenerator<Uint8Array> {
  const copy = new PassThrough()
  copy.on('error', () => {}) // The reading reports the error.
  const reading = readPacked(copy, opening).catch((error) => {
    copy.destroy()
    throw new ArchiveError(`The archive cannot be read back, and was discarded. ${toError(error).message}`, {
      cause: error,
    })
  })
  reading.catch(() => {}) // It is awaited below, unless something else fails first.
  try {
    for await (const chunk of bytes) {
      if (!copy.write(chunk)) await drained(copy)
      if (copy.destroyed) await reading
      yield chunk
    }
    copy.end()
    await reading
  } finally {
    copy.destroy()
  }
}

/** Resolves when the stream takes more, or is closed. */
function drained(stream: PassThrough): Promise<void> {
  if (stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      stream.off('drain', end).off('close', end)
      resolve()
    }
    stream.on('drain', end).on('close', end)
  })
}
