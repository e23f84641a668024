import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Refusal } from '../errors.ts'
import { isOperation, type OperationName, type Progress, type Result } from './operations.ts'

/** One line of JSON from the command line to the server … */
export type ControlRequest = { readonly command: string; readonly arguments: unknown }

/** … and lines back: any number of progress events, then a result or an error. */
export type ControlAnswer =
  | { readonly progress: Parameters<Progress> }
  | { readonly result: Result }
  | { readonly error: string; readonly message: string }

export type ControlSocket = {
  readonly path: string
  /** Takes no more commands, and waits for those that are running. */
  close(): Promise<void>
}

type Run = (name: OperationName, values: unknown, progress: Progress) => Promise<Result>

/** Takes commands from this user's processes on a Unix socket, since no second process may open the embedded database. */
export async function openControlSocket(folder: string, run: Run): Promise<ControlSocket> {
  const { path, remove } = await findPlace(folder)
  const silent = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    silent.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => silent.delete(socket))
    const lines = createInterface({ input: socket })
    lines.once('line', (line) => {
      silent.delete(socket)
      const answering: Promise<void> = answer(socket, line, run).finally(() => running.delete(answering))
      running.add(answering)
    })
    lines.once('close', () => {
      if (silent.has(socket)) socket.destroy()
    })
  })
  listenPrivately(server, path)
  await once(server, 'listening')
  return {
    path,
    async close() {
      server.close()
      for (const socket of silent) socket.destroy()
      await Promise.all(running)
      await remove()
    },
  }
}

/** The shortest limit among systems is 104 bytes, with the null byte at the end. */
const LONGEST_SOCKET_PATH = 103

type Place = { readonly path: string; remove(): Promise<void> }

/** The data folder, or where that has too long a name a folder of our own that `campus.lock` tells of. */
async function findPlace(folder: string): Promise<Place> {
  const path = join(folder, 'campus.sock')
  await rm(path, { force: true })
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return { path, remove: () => rm(path, { force: true }) }
  const ownFolder = await mkdtemp(join(tmpdir(), 'campus-'))
  return { path: join(ownFolder, 'campus.sock'), remove: () => rm(ownFolder, { recursive: true, force: true }) }
}

/** Binding happens within `listen`, so that the socket is never open to others, not for an instant. */
function listenPrivately(server: ReturnType<typeof createServer>, path: string): void {
  const mask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(mask)
  }
}

async function answer(socket: Socket, line: string, run: Run): Promise<void> {
  const send = (answer: ControlAnswer) => {
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`)
  }
  try {
    send({ result: await runRequest(line, run, (...progress) => send({ progress })) })
  } catch (error) {
    send(describe(error))
  }
  socket.end()
}

async function runRequest(line: string, run: Run, progress: Progress): Promise<Result> {
  const { command, arguments: values } = JSON.parse(line) as ControlRequest
  if (!isOperation(command)) throw new Error('The running server does not know this command; restart it.')
  return run(command, values, progress)
}

function describe(error: unknown): ControlAnswer {
  const { message } = error as Error
  return { error: error instanceof Refusal ? error.error : 'Error', message }
}
