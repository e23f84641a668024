import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { ConfigError } from '../base/config-error.ts'
import { settingName } from '../base/service.ts'

/** Removes the socket of a killed process. Throws ConfigError if a process listens on it, or it is another file. */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return
  if (!found.isSocket())
    throw new ConfigError(`${settingName('SOCKET')} must be a path of its own; ${path} is another file.`)
  if (await isListenedOn(path)) {
    throw new ConfigError(`${settingName('SOCKET')} must be a socket of its own; another program listens on ${path}.`)
  }
  await rm(path, { force: true })
}

/** Reports whether a process listens, also if we may not connect. */
function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const answer = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => answer(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}
