import { readlinkSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent } from '../../base/private-files.ts'
import { removeSocketFolder } from './address.ts'
import { executable } from './binaries.ts'
import type { Programs } from './programs.ts'
import { runAs } from './run-as.ts'

type Dependencies = Omit<Programs, 'major'> & {
  readonly cluster: string
  /** Folder of the socket of the next server. */
  readonly socketFolder: string | undefined
}

/**
 * Ends the processes of a server whose service was killed. The caller must hold the data folder's lock, so the server is unused. Removes
 * lock files that name another process: after a crash of the machine, its id may be reused, and PostgreSQL would refuse to start.
 */
export async function endLeftovers({ cluster, binaries, who, socketFolder }: Dependencies): Promise<void> {
  const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n') ?? []
  if (process.platform !== 'win32') await endProcesses(cluster, Number(lines[0]))
  else if (lines.length > 0) {
    const pgCtl = join(binaries, executable('pg_ctl'))
    await runAs(who, [pgCtl, 'stop', '-D', cluster, '-m', 'immediate', '-t', '10']).catch(() => {})
  }
  const formerFolder = lines[4]
  if (formerFolder && formerFolder !== socketFolder) await removeSocketFolder(formerFolder)
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) {
    await rm(join(cluster, name), { force: true })
  }
}

type Find = () => Promise<readonly number[]>

/** The postmaster ends its children. Orphans, and processes that do not react, are ended directly. */
async function endProcesses(cluster: string, first: number): Promise<void> {
  const findAll: Find = async () => (await findProcesses(cluster)) ?? ((await isServer(first, cluster)) ? [first] : [])
  const findFirst: Find = async () => (await findAll()).filter((pid) => pid === first)
  const hasObeyed = (await end(findFirst, 'SIGINT', 3_000)) || (await end(findFirst, 'SIGQUIT', 1_000))
  if (hasObeyed && (await end(findAll, 'SIGQUIT', 500))) return
  await end(findAll, 'SIGKILL', 5_000)
}

/** Signals processes. Returns whether all ended in time. */
async function end(find: Find, signal: NodeJS.Signals, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  let left = await find()
  for (const pid of left) send(pid, signal)
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(10)
    left = await find()
  }
  return left.length === 0
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has just ended.
  }
}

/** Finds the processes that work in the database's folder. Returns undefined if the system does not list processes. */
async function findProcesses(cluster: string): Promise<number[] | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.filter((name) => /^\d+$/.test(name))
  return pids.length === 0 ? undefined : pids.filter((pid) => folderOf(pid) === cluster).map(Number)
}

/** Reads synchronously, which is faster than a thread here. */
function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // Another user's process, or one that has ended.
  }
}

async function isServer(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0)) return false
  const command = await runAs({}, ['ps', '-o', 'command=', '-p', String(pid)]).catch(() => '')
  return command.includes(cluster)
}
