import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

type Started = { readonly pid: number; stop(): Promise<void> }

const TIMEOUT_SECONDS = 180
const LAST_WORDS = 2_000

/** They end when this process does, however that is. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill()
})

/**
 * Starts a program of Node and resolves when `isReady` does not throw any more. Throws with what the program said last when it ends
 * before, or is not ready in time.
 */
export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: () => Promise<unknown>,
): Promise<Started> {
  const { child, said } = spawnNode(args, env)
  const until = performance.now() + TIMEOUT_SECONDS * 1000
  for (;;) {
    if (hasEnded(child)) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said()}`)
    if (
      await isReady().then(
        () => true,
        () => false,
      )
    )
      break
    if (performance.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`${args.join(' ')} is not ready after ${TIMEOUT_SECONDS} s: ${said()}`)
    }
    await sleep(100)
  }
  return {
    pid: child.pid as number,
    async stop() {
      if (hasEnded(child)) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** Runs a program of Node to its end, and gives what it wrote. Throws with what it said last where it fails. */
export async function runProcess(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { child, said, written } = spawnNode(args, env)
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said()}`)
  return written()
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

function spawnNode(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const [out, all] = [[] as string[], [] as string[]]
  child.stdout.on('data', (chunk) => {
    out.push(String(chunk))
    all.push(String(chunk))
  })
  child.stderr.on('data', (chunk) => all.push(String(chunk)))
  return { child, written: () => out.join(''), said: () => all.join('').slice(-LAST_WORDS) }
}
