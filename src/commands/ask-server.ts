import { connect, type Socket } from 'node:net'
import type { ControlAnswer, ControlRequest } from './control-socket.ts'
import type { OperationName, Progress, Result } from './operations.ts'

/** The server could not be reached at all, so nothing was done. */
export class ServerUnreachable extends Error {}

/** Lets the running server do it. Throws ServerUnreachable, and what the server answers as an Error. */
export async function askServer(
  path: string,
  name: OperationName,
  values: unknown,
  progress: Progress,
): Promise<Result> {
  const socket = await reach(path)
  const request: ControlRequest = { command: name, arguments: values }
  socket.write(`${JSON.stringify(request)}\n`)
  for await (const line of linesOf(socket)) {
    const answer = JSON.parse(line) as ControlAnswer
    if ('result' in answer) return answer.result
    if ('message' in answer) throw new Error(answer.message)
    progress(...answer.progress)
  }
  throw new Error('The running server stopped before it had answered; look whether the command took effect.')
}

/** Leaving the loop closes the socket. A connection that breaks is one that ends. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = ''
  socket.setEncoding('utf8')
  try {
    for await (const chunk of socket) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    if (!['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function reach(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', ({ message }) =>
      reject(new ServerUnreachable(`The running server cannot be reached: ${message}.`)),
    )
  })
}
