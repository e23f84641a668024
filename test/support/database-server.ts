import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { temporaryFolder } from './folder.ts'

/** The variables in which tests find their server, and a folder of the whole run. */
type Environment = { readonly CAMPUS_TEST_DATABASE_URL: string; readonly CAMPUS_TEST_FOLDER: string }

/**
 * Does the work while there is a PostgreSQL server for tests: the embedded one, without the safety that only a power cut
 * would ask for. `binaries` is a folder of other programs than the package's; their server speaks French where the machine does, as
 * that of a school may.
 */
export async function withTestServer<T>(work: (env: Environment) => Promise<T>, binaries?: string): Promise<T> {
  const folder = await temporaryFolder()
  const server = await EmbeddedServer.open({
    data: join(folder.path, 'server'),
    connections: 800,
    binaries,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      ...(binaries && speaksFrench() ? { lc_messages: FRENCH } : {}),
    },
    onWarning: (message) => process.stderr.write(`${message}\n`),
  })
  try {
    return await work({ CAMPUS_TEST_DATABASE_URL: server.url, CAMPUS_TEST_FOLDER: folder.path })
  } finally {
    await server.close()
    await folder.remove()
  }
}

const FRENCH = 'fr_FR.UTF-8'

/** Whether the system has the language. */
export const speaksFrench = (): boolean =>
  spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout?.includes(FRENCH.replace('UTF-8', 'utf8')) ?? false

/** The same, for work in this process. Within a run of tests it is the server of the run. */
export function withDatabaseServer<T>(work: () => Promise<T>): Promise<T> {
  if (process.env.CAMPUS_TEST_FOLDER) return work()
  return withTestServer((env) => {
    Object.assign(process.env, env)
    return work()
  })
}
