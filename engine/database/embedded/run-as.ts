import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { ConfigError } from '../../base/config-error.ts'
import { defined } from '../../base/defined.ts'
import { settingName } from '../../base/service.ts'

export type RunAs = {
  readonly ids?: { readonly uid: number; readonly gid: number }
  readonly wrapper?: readonly string[]
}

export const OURSELVES: RunAs = {}

/** Root in a user namespace, where it is called `nobody`: PostgreSQL accepts it, and files stay root's. */
export const USER_NAMESPACE: RunAs = {
  wrapper: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
}

/** Throws ConfigError. */
export async function accountNamed(name: string): Promise<RunAs> {
  const idOf = async (flag: string) => Number((await runFile('id', [flag, '--', name])).stdout)
  try {
    return { ids: { uid: await idOf('-u'), gid: await idOf('-g') } }
  } catch {
    throw new ConfigError(`${settingName('POSTGRES_ACCOUNT')} must name an account of this machine; "${name}" is none.`)
  }
}

const runFile = promisify(execFile)

/** Excludes our own variables, which may contain secrets, and makes messages English. */
const ENVIRONMENT = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' }

/** Starts a program outside the terminal's process group, so that Ctrl-C does not reach it. */
export function spawnAs(
  { ids, wrapper = [] }: RunAs,
  command: readonly [string, ...string[]],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const [file, ...words] = [...wrapper, ...command]
  return spawn(defined(file), words, { ...ids, stdio, cwd: '/', detached: true, windowsHide: true, env: ENVIRONMENT })
}

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
    child.stdin?.on('error', () => {}) // The program may end before it reads.
    child.stdin?.end(input)
  })
}
