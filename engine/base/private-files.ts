import { randomUUID } from 'node:crypto'
import { type Stats, statSync } from 'node:fs'
import {
  access,
  chmod,
  constants,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { codeOf, toError } from './caught.ts'
import { ConfigError } from './config-error.ts'
import { commandName } from './service.ts'
import { shellWord } from './text/shell-word.ts'

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700

const BY_OTHERS = 0o022
const BY_ANYBODY = 0o002
const STICKY = 0o1000

/** Creates a folder and its parents. The recursive `mkdir` of Node.js never returns below `/proc`. */
export async function makeFolder(path: string, mode = OWNER_ONLY_FOLDER): Promise<void> {
  try {
    await makeOneFolder(path, mode)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path), mode)
    await makeOneFolder(path, mode)
  }
}

/** Creates a folder. Another process may create it at the same time. */
async function makeOneFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { mode }).catch(async (error) => {
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(path))) throw error
  })
}

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true

/** Creates a private, writable folder. Throws ConfigError, which names the setting. */
export async function makeConfiguredFolder(setting: string, path: string): Promise<void> {
  try {
    await makePrivateFolder(path)
    await access(path, constants.W_OK)
  } catch (error) {
    throw error instanceof ConfigError ? error : unusableFolder(setting, path, error)
  }
}

export const unusableFolder = (setting: string, path: string, error: unknown): ConfigError =>
  new ConfigError(`${setting} must be a folder that can be written to; ${path} cannot: ${toError(error).message}.`, {
    cause: error,
  })

/** Creates a folder with mode 0700, or gives an own folder that mode. Throws ConfigError if others own it or may write to it. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path)
  const folder = await stat(path)
  if (hasNoModes()) return
  requireOwn(path, folder)
  if (mayOthersWrite(path)) {
    throw new ConfigError(
      `Others may write to the folder ${path}, so what is in it may be theirs. Look at it, then: chmod go-w ${shellWord(path)}`,
    )
  }
  await closeToOthers(path, folder)
}

/**
 * Does the same for the data folder, and removes the rights of others from its entries. Deeper entries cannot be reached by others.
 * Throws ConfigError, also if others could replace the folder.
 */
export async function claimDataFolder(path: string): Promise<void> {
  await makePrivateFolder(path)
  if (hasNoModes()) return
  const folder = await realpath(path)
  for (let above = dirname(folder); ; above = dirname(above)) {
    const { mode } = await stat(above)
    if (mode & BY_ANYBODY && !(mode & STICKY)) {
      throw new ConfigError(
        `Anybody may write to ${above}, and so replace the data folder ${path}. Move that, or: chmod o-w ${shellWord(above)}`,
      )
    }
    if (above === dirname(above)) break
  }
  for (const name of await readdir(folder)) {
    const entry = await lstat(join(folder, name)).catch(() => undefined) // Another process may have removed it.
    if (entry?.uid === process.geteuid?.() && (entry?.isFile() || entry?.isDirectory()))
      await closeToOthers(join(folder, name), entry)
  }
}

/** Creates a file with mode 0600, or gives an existing file that mode. */
export async function makePrivateFile(path: string): Promise<void> {
  const file = await open(path, 'a', OWNER_ONLY_FILE)
  try {
    const found = await file.stat()
    if (hasNoModes()) return
    requireOwn(path, found)
    if (found.mode & 0o077) await file.chmod(OWNER_ONLY_FILE)
  } finally {
    await file.close()
  }
}

export const mayOthersWrite = (path: string): boolean =>
  !hasNoModes() && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & BY_OTHERS) !== 0

export const isOwnFile = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.uid ?? process.geteuid?.()) === process.geteuid?.() &&
  !mayOthersWrite(path)

/**
 * Streams into a file with mode 0600, which gets its name when it is complete and synced. Replaces an existing file or link. Throws
 * ConfigError if the file cannot be written, was removed meanwhile, or another process writes it too.
 */
export async function writePrivateFile<T>(path: string, write: (stream: Writable) => Promise<T>): Promise<T> {
  try {
    return await writeComplete(path, write)
  } catch (error) {
    const { code = '', syscall = '', path: failed } = toError(error)
    // An error of the content, such as of its source file, has another path or system call.
    const reason = failed?.startsWith(path) || WRITES.has(syscall) ? UNWRITABLE[code] : undefined
    if (reason === undefined) throw error
    const refusal = new ConfigError(
      `${path} cannot be written: ${reason} (${code}). Correct this, or use another path.`,
      {
        cause: error,
      },
    )
    throw Object.assign(refusal, { code })
  }
}

const WRITES = new Set(['write', 'fsync', 'rename'])

const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EFBIG: 'the file system does not allow a file of this size',
  EROFS: 'the file system is read-only',
  EIO: 'the disk failed',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is not a folder',
}

async function writeComplete<T>(path: string, write: (stream: Writable) => Promise<T>): Promise<T> {
  const part = `${path}.part`
  await rm(part, { force: true })
  const file = await open(part, 'wx', OWNER_ONLY_FILE)
  const { ino } = await file.stat()
  const found = () => lstat(part).catch(() => undefined)
  try {
    const result = await write(file.createWriteStream({ flush: true }))
    const written = await found()
    if (!written) throw new ConfigError(`${part} was removed while it was written. Write ${path} again.`)
    if (written.ino !== ino)
      throw new ConfigError(`Another process is writing ${path} too. Its file is kept, and this one is discarded.`)
    await rename(part, path)
    await syncFolder(dirname(path))
    return result
  } catch (error) {
    if ((await found())?.ino === ino) await rm(part, { force: true })
    throw error
  } finally {
    await file.close().catch(() => {}) // The stream has usually closed it.
  }
}

/** Error codes of network file systems such as SMB, which cannot sync folders. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } catch (error) {
    if (!CANNOT_SYNC.includes(String(codeOf(error)))) throw error
  } finally {
    await folder.close()
  }
}

/** Windows has no file modes. */
const hasNoModes = () => process.geteuid === undefined

function requireOwn(path: string, { uid }: Stats): void {
  const own = process.geteuid?.()
  if (uid === own) return
  throw new ConfigError(
    `${path} belongs to the account with the id ${uid}, and ${commandName()} runs as ${own}. Run it as that account or, where you trust what is there: chown -R -h ${own}:${process.getegid?.()} ${shellWord(path)}`,
  )
}

/** Mode with which root lets the group of PostgreSQL's account pass through the folder. */
const PASSED_BY_GROUP = 0o710

async function closeToOthers(path: string, { mode, uid }: Stats): Promise<void> {
  const present = mode & 0o777
  const closed = uid === 0 && present === PASSED_BY_GROUP ? present : present & OWNER_ONLY_FOLDER
  if (present !== closed) await chmod(path, closed)
}

/** Reads a file. Creates it first, with mode 0600, if it does not exist. If several processes create it, all read the same text. */
export async function readOrCreatePrivateFile(path: string, makeText: () => string | Promise<string>): Promise<string> {
  const present = await readIfPresent(path)
  if (present !== undefined) return present
  const aside = await writeAside(path, await makeText())
  try {
    await link(aside, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(aside, { force: true })
  }
  return readFile(path, 'utf8')
}

/** Replaces a file atomically and durably, with mode 0600. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const aside = await writeAside(path, text)
  try {
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeAside(path: string, text: string): Promise<string> {
  const aside = `${path}.${randomUUID()}`
  await writeFile(aside, text, { mode: OWNER_ONLY_FILE, flag: 'wx', flush: true })
  return aside
}
