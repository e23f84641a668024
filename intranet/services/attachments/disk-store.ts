import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '@campus/engine/base/private-files'
import { diskFullError } from '@campus/engine/http/staging'
import type { FileStore } from './file-store.ts'

/** Stores files in a folder on the file system where they are staged. */
export const diskStore = (folder: string): FileStore => ({
  async put(key, { path }) {
    const target = join(folder, key)
    try {
      await makeFolder(dirname(target))
      await rename(path, target)
      // A name is on the disk only after its folder has been synced, up to the root.
      await syncFolder(dirname(target))
      await syncFolder(folder)
    } catch (error) {
      throw diskFullError(error) ?? error
    }
  },

  async read(key, range) {
    const file = await open(join(folder, key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw diskFullError(error) ?? error
    })
    return file?.createReadStream(range ? { start: range.first, end: range.last } : {})
  },

  async remove(key) {
    await rm(join(folder, key), { force: true })
  },
})
