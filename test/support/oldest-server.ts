import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Programs of the oldest PostgreSQL that is supported, from Debian's package. */
export const OLDEST_BINARIES = process.env.CAMPUS_TEST_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'

/** Reason to skip a test that runs these programs, or false if they are installed. */
export const NO_OLDEST_SERVER = existsSync(join(OLDEST_BINARIES, 'pg_basebackup'))
  ? false
  : `SKIPPED: no PostgreSQL 15 in ${OLDEST_BINARIES} (install Debian's package postgresql-15, or set CAMPUS_TEST_POSTGRES_BIN)`
