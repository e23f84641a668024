import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { FolderInUse, takeLock } from '../database/lock.ts'
import { migrate } from '../database/migrate.ts'
import { createSealing } from '../webhooks/sealing.ts'
import { askServer, ServerUnreachable } from './ask-server.ts'
import { openConfiguredDatabase } from './open-database.ts'
import { type Arguments, type OperationName, type Progress, type Result, runOperation } from './operations.ts'

/** Runs an operation where the database is: on a server of its own, in the running process, or in the data folder. */
export function execute<Name extends OperationName>(
  config: Config,
  name: Name,
  values: Arguments<Name>,
  progress: Progress = () => {},
): Promise<Result> {
  return config.databaseUrl ? runDirectly(config, name, values, progress) : runEmbedded(config, name, values, progress)
}

async function runDirectly(config: Config, name: OperationName, values: unknown, progress: Progress): Promise<Result> {
  const database = await openConfiguredDatabase(config)
  try {
    if (name !== 'migrate') await migrate(database.kysely)
    const means = { database, config, sealing: createSealing(config.sealingKey) }
    return await runOperation(means, name, values, progress)
  } finally {
    await database.close()
  }
}

/** A server that is just starting or stopping, or another command: they soon answer, or leave. */
const PATIENCE_MILLISECONDS = 60_000

async function runEmbedded(config: Config, name: OperationName, values: unknown, progress: Progress): Promise<Result> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS
  for (;;) {
    try {
      return await runLocked(config, name, values, progress)
    } catch (error) {
      const isWorthWaiting = error instanceof FolderInUse || error instanceof ServerUnreachable
      if (!isWorthWaiting || Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

async function runLocked(config: Config, name: OperationName, values: unknown, progress: Progress): Promise<Result> {
  try {
    const lock = await takeLock(config.data)
    return await runDirectly(config, name, values, progress).finally(() => lock.release())
  } catch (error) {
    if (!(error instanceof FolderInUse && error.socket)) throw error
    return askServer(error.socket, name, values, progress)
  }
}
