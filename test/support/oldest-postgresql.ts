/**
 * Runs what depends on PostgreSQL's version on the oldest one that is supported, from Debian's package:
 * `npm run test:oldest`. CAMPUS_TEST_POSTGRES_BIN names programs elsewhere.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const OLDEST = process.env.CAMPUS_TEST_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'
/** Migrations, statements, locking and listening. */
const FILES = [
  'test/database/!(seed*).test.ts',
  'test/api/{lists,graphs,writes,twins,fresh}.test.ts',
  'test/attachments/stored-files.test.ts',
  'test/webhooks/{deliveries,webhook-events}.test.ts',
]

if (existsSync(join(OLDEST, 'postgres'))) {
  const env = { ...process.env, CAMPUS_TEST_POSTGRES_BIN: OLDEST }
  const { status } = spawnSync('npm', ['run', '-s', 'test', '--', ...FILES], { stdio: 'inherit', env })
  process.exitCode = status ?? 1
} else {
  console.log(
    `SKIPPED: no PostgreSQL 15 in ${OLDEST} (install Debian's package postgresql-15, or set CAMPUS_TEST_POSTGRES_BIN)`,
  )
}
