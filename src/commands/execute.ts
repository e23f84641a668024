import { refuseWhileRestoring } from '../archive/restore-marker.ts'
import type { Config } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import type { Progress } from '../progress.ts'
import { senderSealing } from '../webhooks/sealing-keys.ts'
import { openForCommand } from './open-database.ts'
import { type Arguments, type OperationName, type Result, runOperation } from './operations.ts'

/** Runs an operation on the database: that of the running server, or one that is started for it. */
export async function execute<Name extends OperationName>(
  config: Config,
  name: Name,
  values: Arguments<Name>,
  progress: Progress = () => {},
): Promise<Result> {
  const { database, close } = await openForCommand(config, name)
  try {
    await refuseWhileRestoring(database)
    if (name !== 'migrate') await migrate(database.background.kysely)
    const sealing = () => senderSealing(database, config.sealingKey)
    return await runOperation({ database, config, sealing }, name, values, progress)
  } finally {
    await close()
  }
}
