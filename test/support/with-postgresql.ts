/** Runs a command with a PostgreSQL server of its own: `node test/support/with-postgresql.ts node --test …`. */
import { spawn } from 'node:child_process'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { createPostgresql } from './postgresql-server.ts'

const [command, ...words] = process.argv.slice(2)
if (!command) throw new Error('name the command to run')

const folder = await temporaryFolder()
const server = await createPostgresql({ folder: folder.path, port: await freePort() })
await server.start()
const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, CAMPUS_TEST_DATABASE_URL: server.url } })
const code = await new Promise<number>((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)))
await server.stop()
await folder.remove()
process.exitCode = code
