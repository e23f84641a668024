import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The file that runs the `campus` command of this checkout. */
export const MAIN = fileURLToPath(new URL('../../build/campus.js', import.meta.url))

type Environment = Readonly<Record<string, string>>

/** Output of an ended command, with its exit code or the signal that ended it. */
export type Outcome = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts `campus` as a shell would, with these variables and none of ours but where compiled code is kept. `cwd` is the folder to start it in. */
export function startCampus(words: readonly string[], env: Environment, cwd?: string): ChildProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return spawn(process.execPath, [MAIN, ...words], { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, cwd })
}

/** Runs `campus` to its end. */
export async function runCampus(words: readonly string[], env: Environment, input = ''): Promise<Outcome> {
  const child = startCampus(words, env)
  child.stdin?.end(input)
  return outcomeOf(child)
}

export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (data) => {
    stdout += data
  })
  child.stderr?.on('data', (data) => {
    stderr += data
  })
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
}
