import { typedCommand } from '../../base/text/typed-command.ts'
import { pendingMigrations } from '../../database/migrate.ts'
import { knownMigrations } from '../../database/migration-files.ts'
import { incompatibleAfter } from '../../database/schema-release.ts'
import { type Check, type Examined, type Finding, findingsAbout } from './finding.ts'

const OLDEST = 15
const { well, warning, fault } = findingsAbout('database')

/** Its version, its settings that lose data, whether it is up to date and has room for our connections. */
export const database: Check = {
  about: 'database',
  async look({ database: { kysely, rows }, config }) {
    const [row] =
      await rows(`select current_setting('server_version'), current_setting('server_version_num')::int / 10000,
      current_setting('fsync'), current_setting('full_page_writes'), current_setting('max_connections')::int`)
    const [version, major, fsync, fullPages, maxConnections] = row ?? []
    const findings: Finding[] = [
      Number(major) < OLDEST
        ? fault(`PostgreSQL ${version}`, `Version ${OLDEST} is the oldest that is supported: upgrade it.`)
        : well(`PostgreSQL ${version}${config.databaseUrl ? '' : ', embedded'}`),
    ]
    if (fsync !== 'on' || fullPages !== 'on') {
      findings.push(fault('it may lose data at a power cut', 'Set fsync and full_page_writes to on.'))
    }
    const required = config.processes * (config.databasePoolSize + 3)
    if (required > Number(maxConnections)) {
      findings.push(
        warning(
          `it takes ${maxConnections} connections, and ${config.processes} processes may want ${required}`,
          'Raise max_connections, or lower CAMPUS_DATABASE_POOL or CAMPUS_PROCESSES.',
        ),
      )
    }
    const pending = await pendingMigrations(kysely)
    const newer = pending.length > 0 ? undefined : await newerMigration(rows)
    if (newer) findings.push(fault(`a newer release has changed it (${newer})`, 'Start that one.'))
    findings.push(
      pending.length > 0
        ? warning(
            `${pending.length} migrations are left to run`,
            `The next start runs them, as "${typedCommand('migrate')}" does.`,
          )
        : well('up to date'),
    )
    return findings
  },
}

async function newerMigration(rows: Examined['database']['rows']): Promise<string | null | undefined> {
  const [row] = await rows(`select ${incompatibleAfter('$1')}`, [(await knownMigrations()).at(-1)])
  return row?.[0]
}
