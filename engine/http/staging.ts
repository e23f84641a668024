import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, type StatsFs } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../base/caught.ts'
import { MEBIBYTE } from '../base/mebibyte.ts'
import { makePrivateFolder } from '../base/private-files.ts'
import { unavailable } from '../errors.ts'
import type { StagedFile } from './uploaded-file.ts'

/** Called before each MiB of a file, and before its last part. Throws to refuse the file. */
type BeforeMebibyte = () => Promise<void>

export class Staging {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Writes a stream to a synced file. Returns undefined and leaves no file if the stream exceeds `maxBytes`, but reads it to its end so
   * that the client receives the response. Throws 503 if the disk is full, and errors of `beforeMebibyte`.
   */
  async receive(stream: Readable, maxBytes: number, beforeMebibyte?: BeforeMebibyte): Promise<StagedFile | undefined> {
    const path = join(this.folder, randomUUID())
    const hash = createHash('sha256')
    let bytes = 0
    let mebibytes = 0
    async function* measured(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBytes) continue
        for (; mebibytes * MEBIBYTE < bytes; mebibytes += 1) await beforeMebibyte?.()
        hash.update(chunk)
        yield chunk
      }
    }
    try {
      await makePrivateFolder(this.folder)
      await pipeline(stream, measured, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
    } catch (error) {
      await this.drop(path)
      throw diskFullError(error) ?? error
    }
    if (bytes <= maxBytes) return { path, bytes, digest: hash.digest('hex') }
    await this.drop(path)
    return undefined
  }

  async requireFreeSpace(): Promise<void> {
    const disk = await statfs(this.folder)
    if (freeBytesOf(disk) < reserveOf(disk)) throw diskFull()
  }

  async drop(path: string): Promise<void> {
    await rm(path, { force: true })
  }

  async sweep(before: Date): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found && found.mtime < before) await this.drop(path)
    }
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

export function diskFullError(error: unknown): Error | undefined {
  return FULL.has(codeOf(error)) ? diskFull() : undefined
}

const diskFull = () => unavailable('There is no room for the file right now; nothing of it was kept.', 60)

const MAX_RESERVE_BYTES = 1e9
const RESERVE_SHARE = 0.05

/**
 * Returns the bytes that uploads leave free on a disk: 1 GB, or 5 % of a disk smaller than 20 GB. An embedded database stops if its
 * write-ahead log, of up to about 256 MB, cannot grow.
 */
export const reserveOf = (disk: StatsFs): number =>
  Math.min(MAX_RESERVE_BYTES, RESERVE_SHARE * disk.blocks * disk.bsize)

export const freeBytesOf = ({ bavail, bsize }: StatsFs): number => bavail * bsize
