import type { Progress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import { isMigrated, migrate } from '@campus/engine/database/migrate'
import { refuseWhileRestoring } from '@campus/engine/database/restore-marker'
import { SCHOOL_MIGRATIONS } from '../school/resources/migrations.ts'
import type { DatabaseCommand, Dependencies, Result } from '../server/database-command.ts'
import { requireTables } from '../server/installation.ts'
import { withDatabase } from '../server/open-database.ts'
import { actingCommand } from '../services/audit/actors.ts'
import type { Config } from '../settings/config.ts'
import { senderSealing } from '../webhooks/sealing-keys.ts'

/** Runs a command on the database of the running server, or on one that is started for it. */
export const execute = (
  config: Config,
  command: DatabaseCommand,
  values: unknown,
  { mayCreate, progress }: { readonly mayCreate: boolean; readonly progress: Progress },
): Promise<Result> =>
  withDatabase(config, { name: command.name, mayCreate }, async (database) => {
    await refuseWhileRestoring(database)
    if (command.name !== 'migrate') {
      if (!mayCreate) await requireTables(database, config)
      await requireMigrated(database)
    }
    const sealing = () => senderSealing(database, config.sealingKey)
    return runOperation({ database, config, sealing }, command, values, progress)
  })

async function requireMigrated({ background: { kysely } }: Database): Promise<void> {
  if (await isMigrated(kysely, SCHOOL_MIGRATIONS)) return
  const { storageOfResources } = await import('../school/resources/declared.ts')
  await migrate(kysely, storageOfResources())
}

/** Runs the operation of a command, and returns its result as JSON. */
export async function runOperation(
  dependencies: Dependencies,
  { name, run }: DatabaseCommand,
  values: unknown,
  progress: Progress,
): Promise<Result> {
  const context = { ...dependencies, actor: actingCommand(name), now: new Date() }
  return JSON.parse(JSON.stringify(await run(context, values, progress)))
}
