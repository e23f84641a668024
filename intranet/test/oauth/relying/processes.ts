import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '@campus/test/support/until'

/** A program that serves. */
export type Serving = { stop(): Promise<void> }

type Starting = { readonly env?: Readonly<Record<string, string>>; readonly answers: () => Promise<boolean> }

/** Starts a program, until it answers. */
export async function serve(
  program: string,
  words: readonly string[],
  { env = {}, answers }: Starting,
): Promise<Serving> {
  const child = spawn(program, words, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
  const stop = () => end(child)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
    return answers().catch(() => false)
  }).catch(async (error) => {
    await stop()
    throw error
  })
  return { stop }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
