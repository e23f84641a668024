import { join } from 'node:path'
import { EmbeddedServer } from '../../src/database/embedded/embedded-server.ts'
import { temporaryFolder } from './folder.ts'

/**
 * Does the work while there is a PostgreSQL server for tests, which they find in CAMPUS_TEST_DATABASE_URL: the embedded
 * one, without the safety that only a power cut would ask for. `CAMPUS_TEST_POSTGRES_BIN` names other programs than the package's.
 */
export async function withDatabaseServer<T>(work: () => Promise<T>): Promise<T> {
  const folder = await temporaryFolder()
  const server = await EmbeddedServer.open({
    data: join(folder.path, 'server'),
    connections: 800,
    binaries: process.env.CAMPUS_TEST_POSTGRES_BIN,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
    },
    onTrouble: (message) => process.stderr.write(`${message}\n`),
  })
  process.env.CAMPUS_TEST_DATABASE_URL = server.url
  process.env.CAMPUS_TEST_FOLDER = folder.path
  try {
    return await work()
  } finally {
    await server.close()
    await folder.remove()
  }
}
