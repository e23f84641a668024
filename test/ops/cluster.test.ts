/** The cluster of containers, as far as it goes without an engine that runs them: its database servers are processes here. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findPrograms } from '@campus/engine/database/embedded/programs'
import { spawnAs } from '@campus/engine/database/embedded/run-as'
import { parse } from 'yaml'
import { ALL_SETTINGS } from '../support/all-settings.ts'
import { askPostgres } from '../support/ask-postgres.ts'
import { canRun } from '../support/can-run.ts'
import { copyTree, temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { NO_OLDEST_SERVER, OLDEST_BINARIES } from '../support/oldest-server.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

describe('ops/cluster/compose.yaml', async () => {
  const { services, secrets, volumes } = parse(await readFile('ops/cluster/compose.yaml', 'utf8'), { merge: true })

  it('names services, secrets, volumes, files and settings that there are', () => {
    for (const [name, service] of Object.entries<Record<string, never>>(services)) {
      for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name}: ${secret}`)
      const others: readonly string[] = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {})
      for (const other of others) assert.ok(other in services, `${name}: ${other}`)
      for (const volume of (service.volumes ?? []) as string[]) {
        const [from = ''] = volume.split(':')
        assert.ok(from.startsWith('./') ? existsSync(join('ops/cluster', from)) : from in volumes, `${name}: ${volume}`)
      }
    }
    for (const name of ['campus1', 'campus2']) {
      for (const setting of Object.keys(services[name].environment)) assert.ok(setting in ALL_SETTINGS, setting)
      for (const secret of services[name].secrets) assert.ok(secret in ALL_SETTINGS, secret)
    }
  })

  it('finds the secrets that "./cluster secrets" makes, and they stay', async (context) => {
    const { path, remove } = await temporaryFolder()
    context.after(remove)
    await copyTree('ops/cluster', path)
    await run('sh', ['cluster', 'secrets'], { cwd: path })
    const before = await readFile(join(path, 'secrets/DATABASE_URL'), 'utf8')
    await run('sh', ['cluster', 'secrets'], { cwd: path })
    assert.equal(await readFile(join(path, 'secrets/DATABASE_URL'), 'utf8'), before)
    const modeOf = async (name: string) => ((await stat(join(path, name))).mode & 0o777).toString(8)
    assert.equal(await modeOf('secrets'), '700')
    assert.equal(await modeOf('secrets/key.pem'), '600')
    const made = await readdir(join(path, 'secrets'))
    for (const { file } of Object.values<{ file: string }>(secrets))
      assert.ok(made.includes(file.replace('./secrets/', '')), file)
    const { stdout } = await run('sh', ['cluster'], { cwd: path })
    for (const name of stdout.match(/^Parts: (.*)$/m)?.[1]?.split(' ') ?? []) assert.ok(name in services, name)
  })

  it('has a configuration that HAProxy takes', {
    skip: canRun('haproxy', '-v') ? false : "SKIPPED: no haproxy (install Debian's package haproxy)",
  }, async (context) => {
    const { path, remove } = await temporaryFolder()
    context.after(remove)
    await copyTree('ops/cluster', path)
    await run('sh', ['cluster', 'secrets'], { cwd: path })
    const { environment } = services.haproxy
    const env = {
      ...process.env,
      ...environment,
      CERTIFICATE: join(path, 'secrets/CERTIFICATE'),
      CAMPUS1: '127.0.0.1:1',
      CAMPUS2: '127.0.0.1:2',
    }
    await run('haproxy', ['-c', '-f', 'ops/cluster/haproxy.cfg'], { env })
  })
})

const skip = NO_OLDEST_SERVER

describe('ops/cluster/start-database', { skip }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let who: Awaited<ReturnType<typeof findPrograms>>['who']
  const children: ChildProcess[] = []
  const ports = { db1: 0, db2: 0 }

  before(async () => {
    folder = await temporaryFolder()
    await chmod(folder.path, 0o777)
    const found = await findPrograms(
      { data: folder.path, cluster: join(folder.path, 'any') },
      { binaries: OLDEST_BINARIES },
    )
    who = found.who
    await copyFile('ops/cluster/start-database', join(folder.path, 'start-database'))
    await chmod(join(folder.path, 'start-database'), 0o755)
    await mkdir(join(folder.path, 'secrets'))
    await writeFile(join(folder.path, 'secrets/POSTGRES_PASSWORD'), 'letmein')
    await chmod(join(folder.path, 'secrets'), 0o755)
    for (const name of ['db1', 'db2'] as const) ports[name] = await freePort()
  })
  after(async () => {
    for (const child of children.filter(({ exitCode }) => exitCode === null)) {
      const gone = once(child, 'exit')
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
      await gone
    }
    await folder?.remove()
  })

  function start(name: 'db1' | 'db2', more: Readonly<Record<string, string>>): void {
    const variables = {
      PATH: `${OLDEST_BINARIES}:/usr/bin:/bin`,
      NAME: name,
      PGDATA: join(folder.path, name),
      SECRETS: join(folder.path, 'secrets'),
      LISTEN: '127.0.0.1',
      SOCKETS: folder.path,
      PORT: String(ports[name]),
      ...more,
    }
    const words = Object.entries(variables).map(([variable, value]) => `${variable}=${value}`)
    children.push(spawnAs(who, ['env', '-i', ...words, 'sh', join(folder.path, 'start-database')], 'ignore'))
  }

  const ask = (name: 'db1' | 'db2', statement: string) =>
    askPostgres(
      { host: '127.0.0.1', port: ports[name], user: 'campus', password: 'letmein', database: 'campus' },
      statement,
    )

  it('makes a primary and a standby that its commits wait for, and that can be promoted', async () => {
    const answers = (name: 'db1' | 'db2') =>
      until(() =>
        ask(name, 'select 1').then(
          () => true,
          () => false,
        ),
      )
    start('db1', { STANDBYS: 'db2' })
    await answers('db1')
    start('db2', { STANDBYS: 'db1', FOLLOWS: '127.0.0.1', FOLLOWS_PORT: String(ports.db1) })
    await answers('db2')
    await until(
      async () =>
        (await ask('db1', `select from pg_stat_replication where application_name = 'db2' and sync_state = 'sync'`))
          .length > 0,
    )
    await ask('db1', 'create table written (n integer)')
    assert.deepEqual(await ask('db2', 'select pg_is_in_recovery()'), [[true]])
    await until(() =>
      ask('db2', 'select count(*) from written').then(
        ([row]) => row?.[0] === '0',
        () => false,
      ),
    )
    await ask('db2', 'select pg_promote(true, 60)')
    assert.deepEqual(await ask('db2', 'select pg_is_in_recovery()'), [[false]])
  })
})
