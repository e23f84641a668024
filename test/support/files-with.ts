import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files below a folder in which one of the texts stands. A server that is just ending removes some meanwhile. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return Buffer.alloc(0)
    })
    if (texts.some((text) => bytes.includes(text))) found.push(path)
  }
  return found
}
