import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** Makes a folder that nobody else may look into, unless it is there already. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER })
}

/** Gives the file's text; where there is no file yet, first makes it, mode 0600. Of several processes one wins, and all read the same. */
export async function readOrCreatePrivateFile(path: string, makeText: () => string | Promise<string>): Promise<string> {
  const present = await readIfPresent(path)
  if (present !== undefined) return present
  const aside = await writeAside(path, await makeText())
  try {
    await link(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(aside, { force: true })
  }
  return readFile(path, 'utf8')
}

/** Writes the whole file, mode 0600, at once: readers see the old text or the new, and so does the machine after a crash. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const aside = await writeAside(path, text)
  try {
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** The file's text, or undefined where there is no file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeAside(path: string, text: string): Promise<string> {
  const aside = `${path}.${randomUUID()}`
  await writeFile(aside, text, { mode: OWNER_ONLY_FILE, flag: 'wx', flush: true })
  return aside
}
