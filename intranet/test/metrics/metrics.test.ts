import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { Metrics } from '@campus/engine/base/metrics/metrics'
import { reloadTls } from '@campus/engine/http/reload-tls'
import { loadTls } from '@campus/engine/http/tls'
import type { World } from '@campus/test/support/campus'
import { runFolder } from '@campus/test/support/databases'
import { temporaryFolder } from '@campus/test/support/folder'
import { measuredCampus, metricsTable, withMetrics } from '@campus/test/support/metrics-page'
import { setPassword } from '@campus/test/support/passwords'
import { type Scraped, sampleOf, scrape } from '@campus/test/support/scrape'
import { sourceFiles } from '@campus/test/support/sources'
import { visitorOf } from '@campus/test/support/visitor'
import { createSealing } from '../../webhooks/sealing.ts'

const PAGE = 'docs/monitoring.md'

/** Metrics of background work: jobs, a backup that reads files, the garbage collector. */
const OF_BACKGROUND = /^(nodejs|campus_job|campus_file_store)_/

describe('metrics', () => {
  let world: World
  let backups: Awaited<ReturnType<typeof temporaryFolder>>
  let former: ReadonlyMap<string, Scraped>
  before(async () => {
    backups = await temporaryFolder()
    world = await measuredCampus(backups.path)
  })
  after(async () => {
    await world?.close()
    await backups?.remove()
  })

  /** How much a family of counters has grown by the work. */
  async function grownBy(work: () => Promise<unknown>) {
    former = await scrape(world.anonymous)
    await work()
    const now = await scrape(world.anonymous)
    return (name: string, labels: Record<string, string> = {}) =>
      sampleOf(now, name, labels) - sampleOf(former, name, labels)
  }

  it('are told in full by the table of the documentation, and nothing else is in it', async () => {
    const page = await readFile(PAGE, 'utf8')
    const table = await metricsTable(world)
    assert.ok(page.includes(table), 'Run "npm run generate -- metrics".')
    assert.equal(withMetrics(page, table), page, 'Run "npm run generate -- metrics".')
  })

  it('are in that table even where only a setting makes them', async () => {
    const page = await readFile(PAGE, 'utf8')
    const names: string[] = []
    for (const file of sourceFiles()) {
      const text = await readFile(file, 'utf8')
      names.push(...[...text.matchAll(/\bname: '(campus_\w+)',\s*help\b/g)].map(([, name = '']) => name))
    }
    assert.ok(names.length > 20, `${names.length} names`)
    assert.deepEqual(
      names.filter((name) => !page.includes(`\n| \`${name}\` |`)),
      [],
    )
  })

  it('count each request by its route, never by its address', async () => {
    const grown = await grownBy(async () => {
      await world.visitor.get('/v2/users/1')
      await world.visitor.get('/v2/users/2.json')
      await world.staff.get('/v2/users/3?x=1')
      await world.anonymous.get('/v2/users/4')
    })
    const route = { method: 'GET', route: '/v2/users/:id' }
    const requests = (more: Record<string, string>) => grown('campus_http_requests_total', { ...route, ...more })
    assert.equal(requests({ status: '2xx', caller: 'application' }), 2)
    assert.equal(requests({ status: '2xx', caller: 'application_with_roles' }), 1)
    assert.equal(requests({ status: '4xx', caller: 'nobody' }), 1)
    assert.equal(grown('campus_http_request_duration_seconds_count', { ...route, status: '2xx' }), 3)
    assert.equal(grown('campus_http_request_duration_seconds_bucket', { ...route, status: '2xx', le: '+Inf' }), 3)
  })

  it('count whoever acts for a person apart', async () => {
    const person = await world.caller({ user: 1 })
    const grown = await grownBy(() => person.get('/v2/me'))
    assert.equal(grown('campus_http_requests_total', { route: '/v2/me', caller: 'person' }), 1)
  })

  it('grow by no label that a stranger makes up', async () => {
    const send = (line: string) =>
      new Promise<void>((resolve, reject) => {
        const { port } = new URL(world.url)
        const options = { host: 'localhost', port: Number(port), ca: world.ca, ALPNProtocols: ['http/1.1'] }
        const socket = connect(options, () =>
          socket.end(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
        )
        socket
          .on('error', reject)
          .on('close', () => resolve())
          .resume()
      })
    await send('PROPFIND /v2/made-up-0')
    await world.anonymous.get('/v2/made-up-0')
    await world.anonymous.post('/oauth/token', { grant_type: 'made-up-0' })
    const linesOf = (families: ReadonlyMap<string, Scraped>) => [...families].flatMap(([, { samples }]) => samples)
    const labelsOf = async () =>
      new Set(linesOf(await scrape(world.anonymous)).map((line) => line.replace(/ [^ ]+$/, '')))
    const former = await labelsOf()
    for (let number = 1; number <= 20; number += 1) {
      await world.anonymous.get(`/v2/made-up-${number}`)
      await world.anonymous.get(`/made-up/${number}/x?made-up=${number}`, { 'x-made-up': String(number) })
      await world.anonymous.post('/oauth/token', { grant_type: `made-up-${number}` })
    }
    for (const method of ['REPORT', 'MKCOL', 'PURGE', 'made-up']) await send(`${method} /v2/made-up-0`)
    const now = await labelsOf()
    assert.deepEqual(
      [...now].filter((line) => line.includes('made-up')),
      [],
    )
    assert.deepEqual(
      [...now].filter((line) => !former.has(line) && !OF_BACKGROUND.test(line)),
      [],
    )
  })

  it('tell why requests are refused', async () => {
    const slow = await world.caller({ ratePerSecond: 1 })
    const few = await world.caller({ ratePerHour: 1 })
    const grown = await grownBy(async () => {
      await world.anonymous.get('/v2/users')
      await world.anonymous.get('/v2/users', { authorization: 'Bearer no-such-token' })
      await world.visitor.post('/v2/users', { user: {} })
      await world.anonymous.get('/nowhere')
      await world.visitor.get('/v2/users/no-such-person')
      await world.visitor.request('DELETE', '/health')
      await world.visitor.get('/v2/users', { accept: 'application/vnd.api+json; ext="none"' })
      await world.director.post('/v2/users', { user: { login: '' } })
      for (let times = 0; times < 3; times += 1) await slow.get('/v2/cursus')
      for (let times = 0; times < 2; times += 1) await few.get('/v2/cursus')
    })
    const refused = (status: number, reason: string) =>
      grown('campus_http_refusals_total', { status: String(status), reason })
    assert.equal(refused(401, 'token_missing'), 1)
    assert.equal(refused(401, 'token_invalid'), 1)
    assert.equal(refused(403, 'role') + refused(403, 'scope'), 1)
    assert.equal(refused(404, 'route'), 1)
    assert.equal(refused(404, 'record'), 1)
    assert.equal(refused(405, 'method'), 1)
    assert.equal(refused(406, 'representation'), 1)
    assert.equal(refused(422, 'invalid'), 1)
    assert.ok(refused(429, 'second') >= 1)
    assert.equal(refused(429, 'hour'), 1)
    assert.equal(grown('campus_http_refusals_total'), grown('campus_http_requests_total', { status: '4xx' }))
  })

  it('tell of statements and connections', async () => {
    const grown = await grownBy(() => world.staff.get('/v2/users?per_page=7'))
    assert.ok(grown('campus_database_statement_duration_seconds_count', { kind: 'select' }) >= 1)
    assert.equal(grown('campus_database_statement_failures_total'), 0)
    const now = await scrape(world.anonymous)
    assert.equal(sampleOf(now, 'campus_database_up'), 1)
    assert.equal(sampleOf(now, 'campus_database_connections_limit', { pool: 'requests' }), 10)
    assert.ok(sampleOf(now, 'campus_database_connections') >= 1)
    assert.equal(sampleOf(now, 'campus_database_waiting'), 0)
  })

  it('tell what comes of requests for tokens', async () => {
    const grown = await grownBy(async () => {
      await world.anonymous.post('/oauth/token', {
        grant_type: 'client_credentials',
        client_id: 'x',
        client_secret: 'y',
      })
    })
    assert.equal(grown('campus_token_requests_total', { grant: 'client_credentials' }), 1)
    assert.equal(grown('campus_token_requests_total', { outcome: 'granted' }), 0)
  })

  it('tell who signs in, and who guesses', async () => {
    const login = 'counted'
    await world.build.user({ login })
    await setPassword(world.database, login, 'correct horse battery', new Date(), createSealing())
    const grown = await grownBy(async () => {
      for (let tries = 0; tries < 11; tries += 1) {
        await visitorOf(world).submit('/sign-in', { login: 'nobodyatall', password: 'wrong' })
      }
      await visitorOf(world).signIn(login, 'correct horse battery')
    })
    const proofs = (outcome: string) => grown('campus_sign_in_proofs_total', { proof: 'password', outcome })
    assert.deepEqual([proofs('right'), proofs('wrong'), proofs('throttled')], [1, 10, 1])
    assert.equal(grown('campus_sign_ins_total'), 1)
    assert.equal(grown('campus_http_refusals_total', { status: '429', reason: 'attempts' }), 1)
  })

  it('tell when the certificate ends, and when another does that took its place', async () => {
    const endOf = (cert: string) => Date.parse(new X509Certificate(cert).validTo) / 1000
    const reported = async () =>
      Number(
        /^campus_certificate_expiry_timestamp_seconds (\d+)$/m.exec((await world.app.inject('/metrics')).payload)?.[1],
      )
    assert.equal(await reported(), endOf(world.ca))
    const folder = await temporaryFolder()
    const next = await loadTls({ data: folder.path, tls: undefined }, new Date(Date.now() + 86_400_000))
    reloadTls(world.app, next)
    assert.notEqual(endOf(next.cert), endOf(world.ca))
    assert.equal(await reported(), endOf(next.cert))
    reloadTls(world.app, await loadTls({ data: runFolder(), tls: undefined }))
    assert.equal(await reported(), endOf(world.ca))
    await folder.remove()
  })

  it('are in OpenMetrics for whoever likes that better', async () => {
    const accept =
      'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'
    const { headers, text } = await world.anonymous.get('/metrics', { accept })
    assert.equal(headers.get('content-type'), 'application/openmetrics-text; version=1.0.0; charset=utf-8')
    assert.ok(text.endsWith('\n# EOF\n'))
    assert.match(text, /^# TYPE campus_http_requests counter$/m)
    assert.match(text, /^campus_http_requests_total\{/m)
    assert.doesNotMatch(text, /_total_total|\n\n/)
    const plain = await world.anonymous.get('/metrics', { accept: 'text/plain' })
    assert.match(plain.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    assert.match(plain.text, /^# TYPE campus_http_requests_total counter$/m)
  })
})

it('metrics are told as far as they are known where the database does not answer', async () => {
  const metrics = new Metrics()
  metrics.addShared(() => Promise.reject(new Error('away')))
  assert.match(await metrics.text('prometheus'), /^campus_processes 1$/m)
})
