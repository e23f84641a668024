import { join } from 'node:path'
import { EmbeddedServer } from '../../src/database/embedded/embedded-server.ts'
import { temporaryFolder } from './folder.ts'

/* The PostgreSQL server of a whole run (`run-tests.ts`), which test files find in CAMPUS_TEST_DATABASE_URL. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: EmbeddedServer

/** Without the safety that only a power cut would ask for. `CAMPUS_TEST_POSTGRES_BIN` names other programs than the package's. */
export async function globalSetup(): Promise<void> {
  folder = await temporaryFolder()
  server = await EmbeddedServer.open({
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
}

export async function globalTeardown(): Promise<void> {
  await server.close()
  await folder.remove()
}
