import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { campus, type World } from '@campus/test/support/campus'
import { SpanKind } from '@opentelemetry/api'
import { traceJobs } from '../../services/tracing/start-tracing.ts'
import { Tracing } from '../../services/tracing/tracing.ts'

type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

const servers: Server[] = []

/** A collector on the loopback interface; gives its address. */
async function collector(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const attributeOf = (span: Span | undefined, key: string) =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0]

describe('the traces that a collector gets', () => {
  const CLIENTS_TRACE = '0af7651916cd43dd8448eb211c80319c'
  const CLIENTS_SPAN = 'b7ad6b7169203331'
  const texts: string[] = []
  const paths: string[] = []
  let token = ''
  let spans: readonly Span[] = []

  before(async () => {
    const url = await collector(async (request, response) => {
      paths.push(`${request.method} ${request.url}`)
      texts.push((await request.toArray()).join(''))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const world = await campus({ seeded: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
    try {
      token = world.staff.token as string
      const created = await world.director.post('/v2/tags', { tag: { name: 'zK7-name', kind: 'general' } })
      assert.equal(created.status, 201, created.text)
      await world.staff.get('/v2/users?filter[login]=zK7-login&per_page=7')
      await world.staff.get('/v2/users/zk7-path')
      await world.staff.get('/v2/languages', { traceparent: `00-${CLIENTS_TRACE}-${CLIENTS_SPAN}-01` })
    } finally {
      // Remaining spans are sent when the service ends.
      await world.close()
    }
    spans = texts.flatMap((text) =>
      JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  })

  const spanOf = (name: string) => spans.find((span) => span.name === name)
  const childrenOf = (parent: Span | undefined) => spans.filter((span) => span.parentSpanId === parent?.spanId)

  it('come by OTLP over HTTP', () => {
    assert.deepEqual([...new Set(paths)], ['POST /v1/traces'])
  })

  it('hold a request with its statements, as one trace', () => {
    const request = spanOf('POST /v2/tags')
    assert.equal(attributeOf(request, 'http.route'), '/v2/tags')
    assert.equal(Number(attributeOf(request, 'http.response.status_code')), 201)
    const statements = childrenOf(request)
    assert.ok(statements.every(({ traceId }) => traceId === request?.traceId))
    const asked = statements.map((span) => String(attributeOf(span, 'db.query.text')))
    assert.ok(asked.some((text) => text.startsWith('insert into "tags"') && text.endsWith('; commit')))
    const others = spans.filter(({ traceId }) => traceId === request?.traceId)
    assert.equal(others.length, statements.length + 1)
  })

  it('go on the trace of a client that has one', () => {
    const request = spans.find(({ parentSpanId }) => parentSpanId === CLIENTS_SPAN)
    assert.equal(request?.name, 'GET /v2/languages')
    assert.equal(request?.traceId, CLIENTS_TRACE)
    assert.ok(childrenOf(request).every(({ traceId }) => traceId === CLIENTS_TRACE))
  })

  it('hold no token, no address and no value', () => {
    assert.ok(texts.length > 0)
    assert.ok(texts.join('').includes('/v2/users/:id'))
    assert.deepEqual(
      [token, 'zK7', 'zk7-path', '127.0.0.1'].filter((secret) => texts.join('').includes(secret)),
      [],
    )
  })
})

describe('the trace of a job', () => {
  let names: readonly string[]
  before(async () => {
    const texts: string[] = []
    const url = await collector(async (request, response) => {
      texts.push((await request.toArray()).join(''))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const tracing = new Tracing(url)
    const jobs = new Jobs()
    jobs.instrument(traceJobs(tracing))
    const step = () => tracing.do({ name: 'a step', kind: SpanKind.INTERNAL }, async () => {})
    const run = (job: string, work: () => Promise<unknown>) => jobs.watch(job, () => step().then(work))()
    await run('idle', async () => NOTHING_TO_DO)
    await run('busy', async () => undefined)
    await assert.rejects(run('failing', () => Promise.reject(new Error('away'))))
    await Promise.all([run('idle', async () => NOTHING_TO_DO), run('busy', async () => 7)])
    await tracing.stop()
    names = texts.flatMap((text) => [...text.matchAll(/"name":"((?:job|a) \w+)"/g)].map(([, name = '']) => name))
  })

  it('is made where it did something or failed, and not where it found nothing to do', () => {
    assert.deepEqual(names.filter((name) => name.startsWith('job')).toSorted(), ['job busy', 'job busy', 'job failing'])
  })

  it('has its steps, and no other steps are sent', () => {
    assert.equal(names.filter((name) => name === 'a step').length, 3)
  })
})

for (const [what, url] of [
  ['is not there', async () => 'http://127.0.0.1:9'],
  ['never answers', () => collector(() => {})],
  ['refuses', () => collector((_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end())],
] as const) {
  it(`requests are answered, and the service ends, where the collector ${what}`, async () => {
    const world: World = await campus({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: await url() } })
    for (let times = 0; times < 20; times += 1) {
      assert.equal((await world.staff.get('/v2/languages')).status, 200)
    }
    await world.close()
  })
}
