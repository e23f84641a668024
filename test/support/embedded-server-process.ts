import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const MODULE = new URL('../../engine/database/embedded/embedded-server.ts', import.meta.url).href

/** Opens a server in the folder, prints its address or the error, and holds it until standard input ends. */
const SCRIPT = `
  import { EmbeddedServer } from '${MODULE}'
  const options = JSON.parse(process.argv[1])
  const onWarning = (warning) => console.log(JSON.stringify({ warning }))
  try {
    const server = await EmbeddedServer.open({ connections: 10, onWarning, ...options })
    console.log(JSON.stringify({ url: server.url }))
    process.stdin.on('end', () => server.close()).resume()
  } catch (error) {
    console.log(JSON.stringify({ name: error.constructor.name, message: error.message }))
  }`

export type Said = {
  readonly url?: string
  readonly name?: string
  readonly message?: string
  readonly warning?: string
}

/** A separate process that holds an embedded server, as a service does. */
export type Holder = {
  readonly child: ChildProcess
  /** Returns the next line of output. */
  next(): Promise<Said>
  /** Stops the embedded server and the process cleanly. */
  end(): Promise<void>
  kill(): Promise<void>
}

/**
 * Starts a process that holds an embedded server. `wrapper` is a command that runs the process in another environment.
 */
export function holdServer(options: object, wrapper: readonly string[] = []): Holder {
  const command = [...wrapper, process.execPath, '--input-type=module', '-e', SCRIPT, JSON.stringify(options)]
  const child = spawn(command[0] as string, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    async next() {
      const { value, done } = await lines.next()
      return done ? { message: 'it ended' } : JSON.parse(value)
    },
    async end() {
      child.stdin.end()
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
