import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@campus/engine/database/database'
import { openForCommand } from '@campus/intranet/server/open-database'
import { readConfig } from '@campus/intranet/settings/config'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { giveCluster } from '../support/clusters.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { type Outcome, outcomeOf, startCampus } from '../support/run-campus.ts'
import { runCommand } from '../support/run-command.ts'

/** A campus whose server is a process of its own, so that it can be killed; the database outlives it. */
export type Campus = {
  /** Environment of the `campus` process. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  /** Resolves when the server answers. `own` are settings of this one alone, where several share a database. */
  start(own?: Readonly<Record<string, string>>): Promise<ServerProcess>
  /**
   * A caller with every role and scope, on connections of their own; of the server at that address where one is named.
   */
  caller(at?: string): Promise<Client>
  /** With what the application of the callers asks for tokens. */
  credentials(): Promise<{ readonly client_id: string; readonly client_secret: string }>
  /** Opens the database itself, whether a server runs or not. */
  openDatabase(): Promise<Database>
  /** Sends SIGKILL to the main process of the embedded database. */
  killDatabase(): Promise<void>
  remove(): Promise<void>
}

export type ServerProcess = { readonly child: ChildProcess; readonly outcome: Promise<Outcome> }

type Place = {
  /** The embedded database, or one on the server of the tests that processes can share. */
  readonly database: 'embedded' | 'shared'
  /** Settings beside those of every campus. */
  readonly env?: Readonly<Record<string, string>>
}

/** An empty campus on a database of its own. */
export async function emptyCampus({ database, env: variables = {} }: Place): Promise<Campus> {
  const folder = await temporaryFolder()
  const data = variables.CAMPUS_DATA ?? folder.path
  const port = await freePort()
  if (database === 'embedded') await giveCluster(data, 'migrated')
  const migrated = database === 'shared' ? await testDatabase() : undefined
  const env = {
    CAMPUS_DATA: data,
    CAMPUS_PORT: String(port),
    CAMPUS_LOG_LEVEL: 'error',
    // One process unless a test sets another number.
    CAMPUS_PROCESSES: '1',
    ...(migrated ? { DATABASE_URL: migrated.url } : {}),
    ...variables,
  }
  const url = `https://localhost:${port}`
  let application: Promise<{ uid: string; secret: string }> | undefined
  const agents: ReturnType<typeof trusting>[] = []
  const children: ChildProcess[] = []

  async function connect() {
    const agent = trusting(await readFile(join(data, 'tls/cert.pem'), 'utf8'))
    agents.push(agent)
    return agent
  }

  async function credentials() {
    application ??= createApplication(env)
    const { uid, secret } = await application
    return { client_id: uid, client_secret: secret }
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
    async caller(at = url) {
      const agent = await connect()
      const anonymous = clientOf({ url: at, agent })
      const { json } = await anonymous.post('/oauth/token', {
        grant_type: 'client_credentials',
        ...(await credentials()),
        scope: 'public projects profile tig forum',
      })
      return clientOf({ url: at, agent }, json.access_token)
    },
    credentials,
    async openDatabase() {
      const opened = await openForCommand(readConfig(env), { name: 'test', mayCreate: true })
      return { ...opened.database, close: opened.close }
    },
    async killDatabase() {
      const [pid] = (await readFile(join(data, 'postgresql', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async remove() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(agents.map((agent) => agent.destroy()))
      await folder.remove()
      await migrated?.close()
    },
  }
}

/** Sends SIGKILL, and waits until the process is gone. */
export async function kill({ child, outcome }: ServerProcess): Promise<void> {
  child.kill('SIGKILL')
  await outcome
}

/** Makes an application with every right by the command line. Gives its credentials. */
export async function createApplication(
  env: Readonly<Record<string, string>>,
): Promise<{ uid: string; secret: string }> {
  const roles = ['--roles', 'Advanced Staff,Advanced Tutor', '--scopes', 'public projects profile tig forum']
  const rates = ['--rate-per-second', '1000000', '--rate-per-hour', '100000000']
  const { code, stdout, stderr } = await runCommand(
    ['app', 'create', '--name', 'Fault finder', ...roles, ...rates, '--json'],
    env,
  )
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
