import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { campusProgram } from '@campus/intranet/cli/program/program'
import { PARTS } from '@campus/service/parts'
import type { Outcome } from './run-campus.ts'

type Running = { readonly input: string; stdout: string; stderr: string }

/** Thrown where a command ends its process. */
class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

const running = new AsyncLocalStorage<Running>()

/**
 * Runs `campus` to its end within this process, one after the other: for what commands do. A process for each would take several times
 * as long; what depends on it (signals, the first start, its own code) is tested by `runCampus`.
 */
export async function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Outcome> {
  divert()
  const own: Running = { input, stdout: '', stderr: '' }
  const former = process.exitCode
  process.exitCode = 0
  const code = await running.run(own, async () => {
    try {
      await (await campusProgram({ env, parts: PARTS }, words)).parseAsync(words, { from: 'user' })
      return Number(process.exitCode)
    } catch (error) {
      if (error instanceof Exit) return error.code
      own.stderr += `${(error as Error).message}\n`
      return 1
    } finally {
      process.exitCode = former
    }
  })
  return { code, signal: null, stdout: own.stdout, stderr: own.stderr }
}

let isDiverted = false

/** Has commands write to, read from and end what is theirs; all others have the process' own. */
function divert(): void {
  if (isDiverted) return
  isDiverted = true
  for (const name of ['stdout', 'stderr'] as const) {
    const write = process[name].write.bind(process[name]) as (...given: unknown[]) => boolean
    process[name].write = (chunk: unknown, ...rest: unknown[]) => {
      const own = running.getStore()
      if (!own) return write(chunk, ...rest)
      own[name] += String(chunk)
      return true
    }
  }
  const { exit } = process
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')?.get
  process.exit = (code) => {
    if (!running.getStore()) exit(code)
    throw new Exit(Number(code ?? 0))
  }
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    get: () => {
      const own = running.getStore()
      return own ? Readable.from([own.input]) : stdin?.call(process)
    },
  })
}
