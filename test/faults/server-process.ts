import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { type Outcome, outcomeOf, runCampus, startCampus } from '../commands/run-campus.ts'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createMigratedDatabase } from '../support/migrated.ts'

const SERVER = process.env.CAMPUS_TEST_DATABASE_URL

/** A campus whose server is a process of its own, so that it can be killed; the database outlives it. */
export type Campus = {
  /** What `campus` is started with. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  /** Resolves when the server answers. `own` are settings of this one alone, where several share a database. */
  start(own?: Readonly<Record<string, string>>): Promise<ServerProcess>
  /** Somebody with every role and scope, on connections of their own. */
  caller(): Promise<Client>
  /** Opens the database itself, while no server does. */
  openDatabase(): Promise<Database>
  remove(): Promise<void>
}

export type ServerProcess = { readonly child: ChildProcess; readonly outcome: Promise<Outcome> }

/** Whether several servers may share a database: not the embedded one. */
export const IS_SHARED = SERVER !== undefined

/** An empty campus on the embedded database, or on the PostgreSQL server that the tests are given. */
export async function emptyCampus(variables: Readonly<Record<string, string>> = {}): Promise<Campus> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const databaseUrl = SERVER && !variables.DATABASE_URL ? await databaseOn(SERVER) : undefined
  const env = {
    ...{ CAMPUS_DATA: folder.path, CAMPUS_PORT: String(port), CAMPUS_LOG_LEVEL: 'error' },
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...variables,
  }
  const url = `https://localhost:${port}`
  let application: Promise<{ uid: string; secret: string }> | undefined
  const agents: ReturnType<typeof trusting>[] = []
  const children: ChildProcess[] = []

  async function connect() {
    const agent = trusting(await readFile(join(folder.path, 'tls/cert.pem'), 'utf8'))
    agents.push(agent)
    return agent
  }

  return {
    env,
    url,
    async start(own = {}) {
      const child = startCampus(['serve', '--empty'], { ...env, ...own })
      children.push(child)
      const outcome = outcomeOf(child)
      await new Promise<void>((resolve, reject) => {
        let text = ''
        child.stdout?.on('data', (data) => {
          text += data
          if (text.includes('Ctrl-C stops it.')) resolve()
        })
        outcome.then(({ code, signal, stderr }) => reject(new Error(`the server ended (${signal ?? code}): ${stderr}`)))
      })
      return { child, outcome }
    },
    async caller() {
      application ??= createApplication(env)
      const { uid, secret } = await application
      const agent = await connect()
      const anonymous = clientOf({ url, agent })
      const { json } = await anonymous.post('/oauth/token', {
        ...{ grant_type: 'client_credentials', client_id: uid, client_secret: secret },
        scope: 'public projects profile tig forum',
      })
      return clientOf({ url, agent }, json.access_token)
    },
    openDatabase: () => openDatabase(databaseUrl ? { url: databaseUrl } : { folder: join(folder.path, 'database') }),
    async remove() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(agents.map((agent) => agent.destroy()))
      await folder.remove()
      if (databaseUrl) await dropDatabase(databaseUrl)
    },
  }
}

/** Sends SIGKILL, and waits until the process is gone. */
export async function kill({ child, outcome }: ServerProcess): Promise<void> {
  child.kill('SIGKILL')
  await outcome
}

async function createApplication(env: Readonly<Record<string, string>>): Promise<{ uid: string; secret: string }> {
  const roles = ['--roles', 'Advanced Staff,Advanced Tutor', '--scopes', 'public projects profile tig forum']
  const rates = ['--rate-per-second', '1000000', '--rate-per-hour', '100000000']
  const { code, stdout, stderr } = await runCampus(
    ['app', 'create', '--name', 'Fault finder', ...roles, ...rates, '--json'],
    env,
  )
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

async function databaseOn(server: string): Promise<string> {
  const name = `campus_test_${randomBytes(6).toString('hex')}`
  await createMigratedDatabase(server, name)
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

async function dropDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  await client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
  await client.end()
}
