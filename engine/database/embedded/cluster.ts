import { chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../base/config-error.ts'
import { readIfPresent } from '../../base/private-files.ts'
import { settingName } from '../../base/service.ts'
import { DATABASE_USER, passwordFile } from './address.ts'
import { executable } from './binaries.ts'
import type { Programs } from './programs.ts'
import { runAs } from './run-as.ts'

type Dependencies = Programs & {
  readonly data: string
  readonly asksPassword: boolean
}

export const clusterFolder = (data: string) => join(data, 'postgresql')

export const hasCluster = async (data: string): Promise<boolean> =>
  (await readIfPresent(join(clusterFolder(data), 'PG_VERSION'))) !== undefined

/** Creates the database if there is none. Throws ConfigError for a database of another version. */
export async function prepareCluster(dependencies: Dependencies): Promise<void> {
  const cluster = clusterFolder(dependencies.data)
  const version = (await readIfPresent(join(cluster, 'PG_VERSION')))?.trim()
  if (version === undefined) return createCluster(dependencies, cluster)
  if (version === String(dependencies.major)) return
  throw new ConfigError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and the programs in ${dependencies.binaries} are those of version ${dependencies.major}; ` +
      `set ${settingName('POSTGRES_BIN')} to programs of version ${version}.`,
  )
}

/** Creates the database under another name, so that an interrupted creation is repeated. */
async function createCluster({ data, binaries, who, asksPassword }: Dependencies, cluster: string): Promise<void> {
  const aside = `${cluster}.new`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  if (who.ids) await chown(aside, who.ids.uid, who.ids.gid)
  const access = asksPassword ? ['--auth=scram-sha-256', `--pwfile=${passwordFile(data)}`] : ['--auth=trust']
  await runAs(who, [
    join(binaries, executable('initdb')),
    `--pgdata=${aside}`,
    `--username=${DATABASE_USER}`,
    ...access,
    '--encoding=UTF8',
    '--no-locale',
    '--no-instructions',
  ])
  await rename(aside, cluster)
}
