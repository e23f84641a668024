import { once } from '@campus/engine/base/once'
import { print } from '@campus/engine/base/text/printable'
import type { Config } from '../settings/config.ts'
import type { StartOptions } from './make-ready.ts'
import { openForServing, openForWorker, takeFolder } from './open-database.ts'
import type { Given, Server } from './serve-opened.ts'

/** Throws ConfigError or FolderInUse, with nothing left running. */
export async function startServer(config: Config, options: StartOptions | Given): Promise<Server> {
  const given = 'databaseUrl' in options ? options : undefined
  const lock = given ? undefined : await takeFolder(config)
  // Modules load while the database starts, and only after a second server would have been refused.
  const load = once(() => import('./serve-opened.ts'))
  const onWarning = (message: string) => print(message, process.stderr)
  // A worker connects while it loads.
  const opened = given
    ? await load().then(() => openForWorker(config, given.databaseUrl))
    : await openForServing(config, lock, { onWarning, onStarting: () => void load().then(({ prepare }) => prepare()) })
  const { serveOpened } = await load()
  return serveOpened(config, options, opened)
}
