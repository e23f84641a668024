import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { FromServers, Ready, ServersOptions, ToServers } from './messages.ts'

export type Servers = Ready & {
  /** Changes a row that no page shows. */
  write(): void
  stop(): Promise<void>
}

type OnProgress = (step: string, done: number, total: number) => void

/** Starts the process of both servers; ready when the data is. Throws what it fails with. */
export async function startServers(options: ServersOptions, onProgress: OnProgress): Promise<Servers> {
  const child = fork(new URL('./servers.ts', import.meta.url), [JSON.stringify(options)])
  const ready = await waitFor(child, onProgress)
  const send = (message: ToServers) => child.send(message)
  return {
    ...ready,
    write: () => send({ kind: 'write' }),
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

function waitFor(child: ChildProcess, onProgress: OnProgress): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromServers) => {
      if (message.kind === 'progress') onProgress(message.step, message.done, message.total)
      else if (message.kind === 'ready') resolve(message)
      else reject(new Error(message.reason))
    })
    child.once('exit', (code) => reject(new Error(`the servers ended with ${code}`)))
  })
}
