import { readdir, readFile } from 'node:fs/promises'
import type { Database } from '@campus/engine/database/database'

/** Tick of the kernel's processor clock. */
const TICK_SECONDS = 0.01
const FIELD = { parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 }

type Fields = readonly number[]

/** Returns the processor time of a process and its threads, in seconds. */
export async function processorSecondsOf(pid: number): Promise<number> {
  return own(await fieldsOf(pid))
}

/** Returns the resident memory of a process in megabytes, with shared libraries and Node's own code. */
export async function megabytesOf(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Returns the process id of the postmaster, or undefined if the database is on another machine. */
export async function findPostmaster(database: Database): Promise<number | undefined> {
  const [row] = await database.rows('select pg_backend_pid()')
  const pid = Number(row?.[0])
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.startsWith('postgres') ? (await fieldsOf(pid))[FIELD.parent] : undefined
}

/** Returns the processor time of all processes of the database, including ended ones, in seconds. */
export async function databaseSeconds(postmaster: number): Promise<number> {
  const fields = await fieldsOf(postmaster)
  const ended = ((fields[FIELD.childrenUser] ?? 0) + (fields[FIELD.childrenSystem] ?? 0)) * TICK_SECONDS
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = await Promise.all(pids.map((pid) => fieldsOf(pid).catch(() => [] as Fields)))
  const children = all.filter((one) => one[FIELD.parent] === postmaster)
  return ended + own(fields) + children.reduce((sum, one) => sum + own(one), 0)
}

const own = (fields: Fields) => ((fields[FIELD.user] ?? 0) + (fields[FIELD.system] ?? 0)) * TICK_SECONDS

/** Splits the fields after the process name, which may contain any character. */
async function fieldsOf(pid: number): Promise<Fields> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}
