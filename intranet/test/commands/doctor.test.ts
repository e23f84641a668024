import assert from 'node:assert/strict'
import type { StatsFs } from 'node:fs'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '@campus/engine/base/clock'
import { clearRestoreMarker, setRestoreMarker } from '@campus/engine/database/restore-marker'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { mailServer } from '@campus/test/support/mail-server'
import { builderOf } from '@campus/test/support/row-builder'
import { runCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'
import pg from 'pg'
import { classify } from '../../server/doctor/disks.ts'
import { deliveryMetrics } from '../../webhooks/metrics.ts'
import { endpointOverviews } from '../../webhooks/overview.ts'
import { replayOne } from '../../webhooks/replay.ts'

type Finding = { readonly about: string; readonly state: string; readonly said: string; readonly advice?: string }

describe('campus doctor', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: TestDatabase
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  async function doctor(env: Readonly<Record<string, string>> = {}) {
    const settings = { CAMPUS_DATA: folder.path, DATABASE_URL: database.url, CAMPUS_PROCESSES: '1', ...env }
    const { code, stdout } = await runCommand(['doctor', '--json'], settings)
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    return { code, findings, of: (about: string) => findings.filter((finding) => finding.about === about) }
  }

  test('finds nothing wrong with a service that is well, and has looked at everything', async () => {
    const server = await mailServer()
    const { code, findings } = await doctor({ CAMPUS_MAIL_URL: server.url, CAMPUS_MAIL_FROM: 'campus@school.test' })
    await server.close()
    const abouts = new Set(findings.map(({ about }) => about))
    const all = [
      'settings',
      'database',
      'secret key',
      'clock',
      'disk',
      'certificate',
      'webservices',
      'backups',
      'mail',
      'rates',
      'files',
      'sign-in',
    ]
    assert.deepEqual([...abouts], all)
    assert.deepEqual(
      findings.filter(({ state, about }) => state !== 'well' && !['certificate', 'disk', 'backups'].includes(about)),
      // The server of the tests keeps nothing through a power cut.
      findings.filter(({ said }) => said === 'it may lose data at a power cut'),
    )
    assert.equal(code, findings.some(({ state }) => state === 'fault') ? 1 : 0)
  })

  test('warns if the database allows fewer connections than docs/operating.md asks for', async () => {
    const [[shown] = []] = await database.rows('show max_connections')
    const processes = 10
    const size = Math.floor(Number(shown) / processes) - 5
    assert.ok(size >= 2, `a server with ${shown} connections`)
    const warningsWith = async (pool: number) => {
      const { of } = await doctor({ CAMPUS_DATABASE_POOL: String(pool), CAMPUS_PROCESSES: String(processes) })
      return of('database').filter(({ said }) => said.startsWith(`it takes ${shown} connections`)).length
    }
    assert.deepEqual([await warningsWith(size), await warningsWith(size + 1)], [0, 1])
  })

  test('reports a restore that has not ended as a fault', async () => {
    await setRestoreMarker(database.rows, 'school.campus', new Date('2026-03-02T10:00:00Z'))
    try {
      const { code, of } = await doctor()
      assert.equal(code, 1)
      assert.deepEqual(
        of('database').map(({ state, said }) => [state, said.split(': ')[0]]),
        [['fault', 'The restore of school.campus, begun at 2026-03-02 10:00:00 UTC, has not ended']],
      )
    } finally {
      await clearRestoreMarker(database.rows)
    }
  })

  test('says which machines use the database and not the folder of the files', async () => {
    const other = new pg.Client({
      connectionString: database.url,
      application_name: 'campus-intranet 9.9.9 other-machine',
    })
    await other.connect()
    try {
      const [found] = (await doctor()).of('files')
      assert.equal(found?.state, 'fault')
      assert.match(found?.said ?? '', /which other-machine does not use$/)
      assert.match(found?.advice ?? '', /CAMPUS_S3_BUCKET/)
      // It shares the folder.
      await mkdir(join(folder.path, 'files/machines'), { recursive: true })
      await writeFile(join(folder.path, 'files/machines/other-machine'), '')
      assert.equal((await doctor()).of('files')[0]?.state, 'well')
    } finally {
      await other.end()
    }
  })

  test('says of replicas that are none, or not there, that they are not read', async () => {
    const closed = `postgres://127.0.0.1:${await freePort()}/campus`
    const found = (await doctor({ DATABASE_REPLICA_URLS: `${database.url},${closed}` })).of('database')
    const faults = found.filter(({ said }) => said.startsWith('the replica'))
    assert.deepEqual(
      faults.map(({ state }) => state),
      ['fault', 'fault'],
    )
    assert.match(faults[0]?.said ?? '', /is no standby/)
    assert.match(faults[1]?.said ?? '', /does not answer \(.*ECONNREFUSED/)
  })

  test('names what cannot be reached, each by itself, with something to do', async () => {
    const closed = `127.0.0.1:${await freePort()}`
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    await builderOf(database).record('endpoints', { url: `https://${closed}/`, secret: Buffer.from('x'), active: true })
    await builderOf(database).record('endpoints', { url: 'https://10.0.0.1/', secret: Buffer.from('x'), active: true })
    const off = { active: false, switched_off_because: 'gone', switched_off_at: new Date() }
    await builderOf(database).record('endpoints', { url: 'https://gone.test/', secret: Buffer.from('x'), ...off })
    const found = await doctor({
      CAMPUS_MAIL_URL: `smtp://user:letmein@${closed}`,
      CAMPUS_MAIL_FROM: 'campus@school.test',
      CAMPUS_REDIS_URL: `redis://:letmein@${closed}`,
      CAMPUS_S3_BUCKET: 'files',
      CAMPUS_S3_ENDPOINT: `https://${closed}`,
      CAMPUS_S3_ACCESS_KEY_ID: 'files',
      CAMPUS_S3_SECRET_ACCESS_KEY: 'letmein',
      CAMPUS_OIDC_ISSUER: `https://${closed}`,
      CAMPUS_OIDC_CLIENT_ID: 'campus',
      CAMPUS_OIDC_CLIENT_SECRET: 'letmein',
      CAMPUS_OUTGOING_ALLOW: '127.0.0.1',
      CAMPUS_BASE_URL: 'https://campus.school.test',
      CAMPUS_PROT: '1',
    })
    silent.close()
    assert.equal(found.code, 1)
    for (const about of ['mail', 'rates', 'files', 'sign-in']) {
      const [{ state, said } = { state: '', said: '' }, ...more] = found.of(about)
      assert.deepEqual([state, more], ['fault', []], about)
      assert.match(said, /ECONNREFUSED/, about)
    }
    const said = found.of('webservices').map(({ said }) => said)
    assert.match(said.join('\n'), /ECONNREFUSED/)
    assert.match(said.join('\n'), /10\.0\.0\.1 is not a public address/)
    assert.match(said.join('\n'), /gone\.test\/ is off: it answered 410 Gone/)
    assert.match(found.of('settings')[0]?.said ?? '', /CAMPUS_PROT is no setting/)
    assert.ok(found.findings.every(({ state, advice, about }) => state === 'well' || about === 'settings' || advice))
    assert.doesNotMatch(JSON.stringify(found.findings), /letmein/)
  })

  test('says since when a delivery is pending and when it was attempted, of a replayed one since then', async () => {
    const url = 'https://late.test/'
    const endpoint_id = await builderOf(database).record('endpoints', { url, active: true })
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const user_id = await builderOf(database).user()
    const of = { endpoint_id, user_id, login: 'ada', event: 'created', record: '{}', secrets: 'none', state: 'pending' }
    const attempt = { tries: 9, last_try_at: minutesAgo(30), due_at: minutesAgo(1) }
    const id = await builderOf(database).record('deliveries', { ...of, created_at: minutesAgo(1450), ...attempt })
    const late = async () =>
      (await doctor()).of('webservices').flatMap(({ state, said }) => (state === 'warning' ? said : []))
    const saidSince = async (minutes: number) => {
      const [row] = await database.rows('select coalesce(replayed_at, created_at), last_try_at from deliveries')
      const [since, last] = (row ?? []).map((time) => new Date(String(time)))
      assert.equal(Math.round((Date.now() - Number(since)) / 60_000), minutes)
      return [
        `${url} has not taken a delivery that is pending since ${since?.toISOString()}, attempted 9 times, at last at ${last?.toISOString()}`,
      ]
    }
    assert.deepEqual(await late(), await saidSince(1450))

    const replay = async (minutes: number) => {
      await database.rows("update deliveries set state = 'dead', decided_at = now()")
      const actor = { userId: null, command: 'deliveries replay' }
      await database.transaction((tx) => replayOne(tx, id, { actor, now: minutesAgo(minutes) }))
    }
    await replay(1)
    assert.deepEqual(await late(), [])
    const [overview] = (await endpointOverviews(database)).filter((endpoint) => endpoint.id === endpoint_id)
    assert.ok(Date.now() - Number(overview?.oldestPendingAt) < 600_000, 'the page for staff says the same')
    const ages = (await deliveryMetrics(database, systemClock)).find(({ name }) =>
      name.endsWith('oldest_pending_seconds'),
    )
    const age = ages?.values.find(({ labels }) => labels?.endpoint === String(endpoint_id))
    assert.ok(Number(age?.value) < 600, 'and so does the metric, on which an alert goes off')

    await replay(80)
    await database.rows('update deliveries set tries = 9')
    assert.deepEqual(await late(), await saidSince(80))
    await database.rows('delete from deliveries')
    await database.rows('delete from endpoints where url = $1', [url])
  })

  test('warns where no backups are made by themselves', async () => {
    const [finding] = (await doctor()).of('backups')
    assert.deepEqual([finding?.state, finding?.said], ['warning', 'none are made by themselves'])
    assert.match(finding?.advice ?? '', /CAMPUS_BACKUP_FOLDER/)
  })

  test('ends though what it looks at takes connections and says nothing', async (t) => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`
    const { code, stdout } = await runCampus(['doctor', '--json'], {
      CAMPUS_DATA: folder.path,
      DATABASE_URL: database.url,
      CAMPUS_MAIL_URL: `smtp://${address}`,
      CAMPUS_MAIL_FROM: 'campus@school.test',
      CAMPUS_REDIS_URL: `redis://${address}`,
      CAMPUS_S3_BUCKET: 'files',
      CAMPUS_S3_ENDPOINT: `https://${address}`,
      CAMPUS_S3_ACCESS_KEY_ID: 'files',
      CAMPUS_S3_SECRET_ACCESS_KEY: 'letmein',
    })
    assert.equal(code, 1)
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    for (const about of ['mail', 'rates', 'files'])
      assert.deepEqual(
        findings.flatMap((finding) => (finding.about === about ? finding.state : [])),
        ['fault'],
        about,
      )
  })

  test('says of tables of another version that they were not looked at', async () => {
    await database.rows('alter table deliveries rename column replayed_at to replayed')
    const found = (await doctor()).of('webservices')
    await database.rows('alter table deliveries rename column replayed to replayed_at')
    assert.deepEqual(
      found.map(({ state, said }) => [state, said]),
      [['warning', 'not looked at: the database is of another version']],
    )
  })

  test("behind a proxy that ends TLS the certificate is the proxy's, and none of our own is looked for or made", async (t) => {
    const { path, remove } = await temporaryFolder()
    t.after(remove)
    const behind = { CAMPUS_DATA: path, CAMPUS_TLS: 'off', CAMPUS_BASE_URL: 'https://campus.school.test' }
    const { of } = await doctor(behind)
    assert.deepEqual(of('certificate'), [
      { about: 'certificate', state: 'well', said: 'it is that of the proxy, which ends TLS' },
    ])
    await assert.rejects(access(join(path, 'tls')))
  })

  test('creates no certificate before the service has created one', async (t) => {
    const { path, remove } = await temporaryFolder()
    t.after(remove)
    const { of } = await doctor({ CAMPUS_DATA: path })
    assert.deepEqual(of('certificate'), [
      {
        about: 'certificate',
        state: 'well',
        said: 'there is no certificate yet: the service creates one when it starts',
      },
    ])
    await assert.rejects(access(join(path, 'tls')))
  })

  test('reports a fault when free space is below the reserve for uploads, and a warning when it is near the reserve', () => {
    const block = 4_096
    const diskOf = (gigabytes: number, free: number) =>
      ({ bsize: block, blocks: (gigabytes * 1e9) / block, bavail: (free * 1e9) / block }) as StatsFs
    const stateOf = (gigabytes: number, free: number, takesUploads = true) => {
      const { state, advice = '' } = classify(diskOf(gigabytes, free), { folder: '/data', takesUploads })
      return [state, ...(advice.match(/refused below .* GB/) ?? [])]
    }
    assert.deepEqual(stateOf(100, 0.9), ['fault', 'refused below 1.0 GB'])
    assert.deepEqual(stateOf(100, 1.1), ['warning', 'refused below 1.0 GB'])
    assert.deepEqual(stateOf(16, 0.7), ['fault', 'refused below 0.8 GB'])
    assert.deepEqual(stateOf(16, 0.9), ['warning', 'refused below 0.8 GB'])
    assert.deepEqual(stateOf(100, 0.9, false), ['warning'])
    assert.deepEqual(stateOf(100, 50), ['well'])
  })

  test('a database that is away is a fault, and the rest is looked at all the same', async () => {
    const { code, of } = await doctor({
      DATABASE_URL: `postgres://campus:letmein@127.0.0.1:${await freePort()}/campus`,
    })
    assert.equal(code, 1)
    assert.match(of('database')[0]?.said ?? '', /DATABASE_URL must name a database that answers/)
    assert.ok(of('disk').length > 0)
  })

  test('settings that cannot be used are faults, each in a line, and people read them with marks', async () => {
    const { code, stdout, stderr } = await runCommand(['doctor'], {
      CAMPUS_DATA: folder.path,
      CAMPUS_PORT: 'many',
      CAMPUS_TIME_ZONE: 'Moon',
    })
    assert.equal(code, 1)
    assert.equal(stderr, '')
    assert.deepEqual(
      stdout.split('\n').map((line) => line.slice(0, 25)),
      ['✖ settings     CAMPUS_POR', '✖ settings     CAMPUS_TIM', ''],
    )
  })
})
