/** Programs of the oldest PostgreSQL that is supported, from Debian's package. */
export const OLDEST_BINARIES = process.env.CAMPUS_TEST_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'
