import { defined } from '@campus/engine/base/defined'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import { pendingMigrations } from '@campus/engine/database/migrate'
import { isContraction } from '@campus/engine/database/migrations'
import { incompatibleAfter } from '@campus/engine/database/schema-release'
import { newestMigration } from '@campus/engine/database/squashed-migrations'
import { sql } from 'kysely'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'
import { BESIDE_POOL } from '../open-database.ts'
import { type Check, type Examined, type Found, fault, warning, well } from './finding.ts'
import { lookAtReplicas } from './replicas.ts'

const OLDEST = 15

type Settings = {
  readonly version: string
  readonly major: number
  readonly fsync: string
  readonly fullPages: string
  readonly maxConnections: number
}

/** Checks the version, settings that lose data, migrations, and room for connections. */
export const database: Check = {
  about: 'database',
  async look({ database: { kysely }, config }) {
    const { rows } = await sql<Settings>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
        current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPages",
        current_setting('max_connections')::int as "maxConnections"`.execute(kysely)
    const { version, major, fsync, fullPages, maxConnections } = defined(rows[0])
    const findings: Found[] = [
      major < OLDEST
        ? fault(`PostgreSQL ${version}`, `Version ${OLDEST} is the oldest that is supported: upgrade it.`)
        : well(`PostgreSQL ${version}${config.databaseUrl ? '' : ', embedded'}`),
    ]
    if (fsync !== 'on' || fullPages !== 'on') {
      findings.push(fault('it may lose data at a power cut', 'Set fsync and full_page_writes to on.'))
    }
    const required = config.processes * (config.databasePoolSize + BESIDE_POOL)
    if (required > maxConnections) {
      findings.push(
        warning(
          `it takes ${maxConnections} connections, and ${config.processes} processes may want ${required}`,
          'Raise max_connections, or lower CAMPUS_DATABASE_POOL or CAMPUS_PROCESSES.',
        ),
      )
    }
    const left = await pendingMigrations(kysely, SCHOOL_MIGRATIONS)
    const pending = left.filter((name) => !isContraction(name))
    if (left.length > pending.length)
      findings.push(well('what a former release needs goes when none of its processes is connected any more'))
    const newer = pending.length > 0 ? undefined : await newerMigration(kysely)
    if (newer) findings.push(fault(`a newer release has changed it (${newer})`, 'Start that one.'))
    findings.push(
      pending.length > 0
        ? warning(
            `${pending.length} migrations are left to run`,
            `The next start runs them, as "${typedCommand('migrate')}" does.`,
          )
        : well('up to date'),
    )
    return [...findings, ...(await lookAtReplicas(config.databaseReplicaUrls, kysely))]
  },
}

async function newerMigration(kysely: Examined['database']['kysely']): Promise<string | null | undefined> {
  const newest = await newestMigration(SCHOOL_MIGRATIONS)
  const { rows } = await sql<{ name: string | null }>`
    select ${sql.raw(incompatibleAfter('newest.name'))} as name from (values (${newest}::text)) newest (name)`.execute(
    kysely,
  )
  return rows[0]?.name
}
