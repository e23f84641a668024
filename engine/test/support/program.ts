import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that serves HTTP on this machine. To be stopped. */
export type Served = { readonly url: string; stop(): Promise<number | null> }

/** Runs a TypeScript program until it listens at `PORT`. Throws with its output if it ends before. */
export async function serveProgram(file: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let printed = ''
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        printed += data
        if (printed.includes('Server listening at')) resolve()
      })
  })
  const failed = ended.then(() => {
    throw new Error(`${file} ended before it listened:\n${printed}`)
  })
  await Promise.race([listening, failed])
  return {
    url: `http://127.0.0.1:${env.PORT}`,
    async stop() {
      child.kill()
      await failed.catch(() => {})
      return child.exitCode
    },
  }
}
