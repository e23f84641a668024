import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { ConfigError } from '../../base/config-error.ts'
import { defined } from '../../base/defined.ts'
import { settingName } from '../../base/service.ts'

/** As whom PostgreSQL's programs run. */
export type RunAs = {
  /** Another account; undefined means that of this process. */
  readonly ids?: { readonly uid: number; readonly gid: number }
  /** A command that runs the program in other surroundings. */
  readonly wrapper?: readonly string[]
}

/** The account of this process. */
export const OURSELVES: RunAs = {}

/** Root in a user namespace, where it is called `nobody`: PostgreSQL agrees to run, and files stay root's. */
export const USER_NAMESPACE: RunAs = {
  wrapper: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
}

/** The account of that name. Throws ConfigError. */
export async function accountNamed(name: string): Promise<RunAs> {
  const idOf = async (flag: string) => Number((await runFile('id', [flag, '--', name])).stdout)
  try {
    return { ids: { uid: await idOf('-u'), gid: await idOf('-g') } }
  } catch {
    throw new ConfigError(`${settingName('POSTGRES_ACCOUNT')} must name an account of this machine; "${name}" is none.`)
  }
}

const runFile = promisify(execFile)

/** None of our own variables, which may hold secrets, and messages in the language that we read. */
const ENVIRONMENT = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' }

/** Starts a program outside the terminal's process group, so that Ctrl-C stops nothing behind our back. */
export function spawnAs(
  { ids, wrapper = [] }: RunAs,
  command: readonly [string, ...string[]],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const [file, ...words] = [...wrapper, ...command]
  return spawn(defined(file), words, { ...ids, stdio, cwd: '/', detached: true, windowsHide: true, env: ENVIRONMENT })
}

/** What a program printed. Rejects with what it complained of. */
export function runAs(who: RunAs, command: readonly [string, ...string[]], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawnAs(who, command, 'pipe')
    let [printed, complaint] = ['', '']
    child.stdout?.on('data', (data) => {
      printed += data
    })
    child.stderr?.on('data', (data) => {
      complaint += data
    })
    child.on('error', reject)
    child.on('close', (code, signal) =>
      code === 0 ? resolve(printed) : reject(new Error(complaint.trim() || `it ended with ${signal ?? code}`)),
    )
    child.stdin?.on('error', () => {}) // It may end without having read.
    child.stdin?.end(input)
  })
}
