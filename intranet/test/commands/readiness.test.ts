/** Tests the addresses for balancers: whether the process is alive, and whether it is ready. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { loadTls } from '@campus/engine/http/tls'
import { emptyCampus } from '@campus/test/faults/server-process'
import { type Client, clientOf, trusting } from '@campus/test/support/client'
import { emptyDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { outcomeOf, startCampus } from '@campus/test/support/run-campus'
import { until } from '@campus/test/support/until'

/** The status and the cause of each. */
const states = async (client: Client) =>
  Promise.all(
    ['live', 'ready'].map(async (path) => {
      const { status, json } = await client.get(`/health/${path}`)
      return `${path} ${status} ${json.error ?? json.status}`
    }),
  )

for (const processes of ['1', '2']) {
  describe(`a service of ${processes} process(es) that is to stop`, () => {
    let campus: Awaited<ReturnType<typeof emptyCampus>>
    before(async () => {
      campus = await emptyCampus({
        database: 'shared',
        env: { CAMPUS_PROCESSES: processes, CAMPUS_DRAIN_SECONDS: '6' },
      })
    })
    after(() => campus?.remove())

    it('is ready, then not ready any more and still answers, and then ends', async () => {
      const { child, outcome } = await campus.start()
      const caller = await campus.caller()
      assert.deepEqual(await states(caller), ['live 200 ok', 'ready 200 ok'])
      child.kill('SIGTERM')
      await until(async () => (await caller.get('/health/ready')).status === 503)
      assert.deepEqual(await states(caller), ['live 200 ok', 'ready 503 Stopping'])
      assert.equal((await caller.get('/v2/campus')).status, 200)
      const { code, stderr } = await outcome
      assert.deepEqual([code, stderr], [0, ''])
    })
  })
}

describe('a service whose database has to be made ready first', () => {
  it('lives, is not ready and says so, until it is', async () => {
    const [database, folder, port] = [await emptyDatabase(), await temporaryFolder(), await freePort()]
    // The lock under which the parts of the database are brought up to date.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = database.exclusively(4201, async () => {
      held.resolve()
      await released
    })
    await held.promise
    const { cert } = await loadTls({ data: folder.path, tls: undefined })
    const agent = trusting(cert)
    const client = clientOf({ url: `https://localhost:${port}`, agent })
    const env = {
      CAMPUS_DATA: folder.path,
      CAMPUS_PORT: String(port),
      DATABASE_URL: database.url,
      CAMPUS_PROCESSES: '2',
    }
    const child = startCampus(['serve', '--empty'], env)
    const outcome = outcomeOf(child)
    try {
      await until(() =>
        client
          .get('/health/live')
          .then(({ status }) => status === 200)
          .catch(() => false),
      )
      assert.deepEqual(await states(client), ['live 200 ok', 'ready 503 Starting'])
      const { status, headers } = await client.get('/v2/campus')
      assert.deepEqual([status, headers.get('retry-after')], [503, '5'])
      // A stranger who connects and says nothing keeps nobody from starting.
      const silent = connect(port, 'localhost')
      silent.on('error', () => {})
      await once(silent, 'connect')
      release()
      await holding
      await until(() =>
        client
          .get('/health/ready')
          .then(({ status }) => status === 200)
          .catch(() => false),
      )
    } finally {
      release()
      child.kill('SIGTERM')
      await outcome
      await agent.destroy()
      await database.close()
      await folder.remove()
    }
  })
})
