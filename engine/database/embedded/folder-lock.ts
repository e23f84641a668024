import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../base/caught.ts'
import { ConfigError } from '../../base/config-error.ts'
import {
  claimDataFolder,
  makePrivateFile,
  readIfPresent,
  replacePrivateFile,
  unusableFolder,
} from '../../base/private-files.ts'
import { commandName, settingName } from '../../base/service.ts'

type Holder = {
  readonly pid: number
  readonly command: string
  readonly url?: string
}

export type FolderLock = {
  announce(url: string | undefined): Promise<void>
  release(): Promise<void>
}

export class FolderInUse extends Error {
  /** Undefined if the holder has not written the lock file yet. */
  readonly holder: Holder | undefined

  constructor(folder: string, holder: Holder | undefined) {
    const who = holder ? `process ${holder.pid} (${commandName()} ${holder.command})` : 'another process'
    super(`The data folder ${folder} is in use by ${who}; stop it, or set ${settingName('DATA')} to another folder.`)
    this.holder = holder
  }
}

/**
 * Locks the data folder, and creates it if it is missing. Throws FolderInUse.
 *
 * The lock is the kernel's, taken through SQLite since Node has no `flock`. It cannot be stale, two processes cannot take it over, and
 * it works between containers with separate process ids. The lock file only names the holder.
 */
export async function takeLock(folder: string, command: string): Promise<FolderLock> {
  const kernelLock = await lockFolder(folder)
  held.add(kernelLock)
  const path = join(folder, lockFile())
  const holder = { pid: process.pid, command }
  const announce = (known: Holder) => replacePrivateFile(path, `${JSON.stringify(known)}\n`)
  const release = async () => {
    await rm(path, { force: true })
    held.delete(kernelLock)
    kernelLock.close()
  }
  try {
    await announce(holder)
  } catch (error) {
    await release()
    throw unusableFolder(settingName('DATA'), folder, error)
  }
  return { announce: (url) => announce({ ...holder, url }), release }
}

const lockFile = () => `${commandName()}.lock`

/** Keeps a reference, since garbage collection would release the lock. */
const held = new Set<DatabaseSync>()

const BUSY = 5

async function lockFolder(folder: string): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined
  try {
    await claimDataFolder(folder)
    const path = join(folder, `${lockFile()}.sqlite`)
    await makePrivateFile(path)
    database = new DatabaseSync(path)
    database.exec('pragma journal_mode = memory; begin immediate')
    return database
  } catch (error) {
    database?.close()
    if (error instanceof ConfigError) throw (await inUseByItsOwner(folder)) ?? error
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY))
      throw unusableFolder(settingName('DATA'), folder, error)
    throw new FolderInUse(folder, await findHolder(folder))
  }
}

/** Root may use the database of a service of another account, without touching its folder. */
async function inUseByItsOwner(folder: string): Promise<FolderInUse | undefined> {
  const holder = process.geteuid?.() === 0 ? parseHolder(await readIfPresent(join(folder, lockFile()))) : undefined
  return holder && isRunning(holder.pid) ? new FolderInUse(folder, holder) : undefined
}

/** Waits briefly while the file names a process that has ended, since a new holder is about to write it. */
async function findHolder(folder: string): Promise<Holder | undefined> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const holder = parseHolder(await readIfPresent(join(folder, lockFile())))
    if (holder && isRunning(holder.pid)) return holder
    await sleep(50)
  }
  return undefined
}

function parseHolder(text: string | undefined): Holder | undefined {
  try {
    const holder = JSON.parse(text ?? '')
    return Number.isInteger(holder?.pid) && typeof holder.command === 'string' ? holder : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
