import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../caught.ts'
import { unavailable } from '../errors.ts'
import { makePrivateFolder } from '../private-files.ts'
import type { StagedFile } from './uploaded-file.ts'

/** Where files lie while they arrive, and until they are kept or dropped. */
export class Staging {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Writes a stream to a file of its own and syncs it; gives undefined, and leaves nothing, where it has more than
   * `maxBytes`. The stream is read to its end all the same, so that the client gets to hear why. Throws 503 when there
   * is no room.
   */
  async receive(stream: Readable, maxBytes: number): Promise<StagedFile | undefined> {
    await makePrivateFolder(this.folder)
    const path = join(this.folder, randomUUID())
    const hash = createHash('sha256')
    let bytes = 0
    async function* measured(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBytes) continue
        hash.update(chunk)
        yield chunk
      }
    }
    try {
      await pipeline(stream, measured, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
    } catch (error) {
      await this.drop(path)
      throw noRoom(error) ?? error
    }
    if (bytes <= maxBytes) return { path, bytes, digest: hash.digest('hex') }
    await this.drop(path)
    return undefined
  }

  /** Removes a staged file; one that was kept is somewhere else by now. */
  async drop(path: string): Promise<void> {
    await rm(path, { force: true })
  }

  /** Removes what was left by a process that ended: files that nobody has written to since `before`. */
  async sweep(before: Date): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found && found.mtime < before) await this.drop(path)
    }
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/** 503 where the error means that the machine cannot hold the file right now. */
export function noRoom(error: unknown): Error | undefined {
  const code = codeOf(error)
  return FULL.has(code)
    ? unavailable('There is no room for the file right now; nothing of it was kept.', 60)
    : undefined
}
