import { readlinkSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent } from '../../base/private-files.ts'
import { removeSocketFolder } from './address.ts'
import { executable } from './binaries.ts'
import type { Programs } from './programs.ts'
import { type RunAs, runAs } from './run-as.ts'

type Dependencies = Omit<Programs, 'major'> & {
  readonly cluster: string
  /** The folder of the socket that is to be used. */
  readonly socketFolder: string | undefined
}

/**
 * Ends the processes of a server on this database whose service was killed. The caller holds the data folder's lock, so
 * they are not in use. Lock files that name a process which is no server of this database are removed: after a crash of
 * the machine another program may have its number, and PostgreSQL would refuse to start.
 */
export async function endLeftovers({ cluster, binaries, who, socketFolder }: Dependencies): Promise<void> {
  const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n') ?? []
  if (process.platform !== 'win32') await endProcesses(cluster, Number(lines[0]))
  else if (lines.length > 0) await stopAtOnce(join(binaries, executable('pg_ctl')), cluster, who)
  const formerFolder = lines[4]
  if (formerFolder && formerFolder !== socketFolder) await removeSocketFolder(formerFolder)
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) {
    await rm(join(cluster, name), { force: true })
  }
}

type Find = () => Promise<readonly number[]>

/** The first process ends the others. Those that have lost it, and those that do not obey, are ended themselves. */
async function endProcesses(cluster: string, first: number): Promise<void> {
  const findAll: Find = async () => (await findProcesses(cluster)) ?? ((await isServer(first, cluster)) ? [first] : [])
  const findFirst: Find = async () => (await findAll()).filter((pid) => pid === first)
  const hasObeyed = (await end(findFirst, 'SIGINT', 3_000)) || (await end(findFirst, 'SIGQUIT', 1_000))
  if (hasObeyed && (await end(findAll, 'SIGQUIT', 500))) return
  await end(findAll, 'SIGKILL', 5_000)
}

/** Sends them the signal, and gives whether all ended in time. */
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
    // It has just ended.
  }
}

const stopAtOnce = (pgCtl: string, cluster: string, who: RunAs) =>
  runAs(who, [pgCtl, 'stop', '-D', cluster, '-m', 'immediate', '-t', '10']).catch(() => {})

/** Every process of a server works in its database's folder. Undefined where the system does not list processes. */
async function findProcesses(cluster: string): Promise<number[] | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.filter((name) => /^\d+$/.test(name))
  return pids.length === 0 ? undefined : pids.filter((pid) => folderOf(pid) === cluster).map(Number)
}

/** Read at once, since the kernel answers sooner than a thread that would be asked. */
function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // Of another user, or ended meanwhile.
  }
}

/** Whether the process is a server of this database, by the command that it was started with. */
async function isServer(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0)) return false
  const command = await runAs({}, ['ps', '-o', 'command=', '-p', String(pid)]).catch(() => '')
  return command.includes(cluster)
}
