import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { canRun } from './can-run.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'

const PROGRAM = ['redis-server', 'valkey-server'].find((name) => canRun(name, '--version'))

/** Why tests that need a Redis server are skipped; false where there is one. */
export const REDIS_SKIP = PROGRAM
  ? false
  : "SKIPPED: no redis-server and no valkey-server (install Debian's package redis-server)"

/** A Redis server of a test's own, which keeps nothing on the disk. */
export type RedisServer = {
  readonly url: string
  /** Whether it answers. */
  answers(): Promise<boolean>
  /** Starts it, empty; resolves when it takes connections. */
  start(): Promise<void>
  /** Sends SIGKILL, and waits until it is gone. */
  kill(): Promise<void>
  /** Sends SIGSTOP: connections are taken, and nothing is answered. */
  freeze(): void
  /** Sends SIGCONT. */
  thaw(): void
  remove(): Promise<void>
}

export async function redisServer(): Promise<RedisServer> {
  const [folder, port] = [await temporaryFolder(), await freePort()]
  let child: ReturnType<typeof spawn> | undefined

  async function start(): Promise<void> {
    const words = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder.path,
      '--save',
      '',
      '--appendonly',
      'no',
    ]
    const started = spawn(PROGRAM as string, words, { stdio: ['ignore', 'pipe', 'ignore'] })
    child = started
    for await (const text of started.stdout.setEncoding('utf8')) if (/ready to accept connections/i.test(text)) break
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async function answers(): Promise<boolean> {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    try {
      const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })
      return String(answer).startsWith('+PONG')
    } catch {
      return false
    } finally {
      socket.destroy()
    }
  }

  await start()
  return {
    answers,
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    async remove() {
      await kill()
      await folder.remove()
    },
  }
}
