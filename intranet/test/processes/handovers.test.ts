/** A worker that dies while connections are on their way to it: each is answered by another. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/** Two workers that say who they are, one of which is frozen and killed on demand. */
const PROGRAM = `
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { Handovers } from '${new URL('../../server/processes/handovers.ts', import.meta.url).href}'
if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_RR
  const handovers = process.argv[1] === 'with' ? new Handovers() : undefined
  const workers = [1, 2].map(() => {
    const worker = cluster.fork()
    handovers?.follow(worker)
    return worker
  })
  let listening = 0
  cluster.on('listening', (_worker, { port }) => {
    if (++listening === 2) console.log(JSON.stringify({ port, pids: workers.map(({ process }) => process.pid) }))
  })
} else {
  createServer((_request, response) => response.setHeader('connection', 'close').end(String(process.pid))).listen(0, '127.0.0.1')
}
`

for (const [how, answered] of [
  ['with', 8],
  ['without', 7],
] as const) {
  describe(`connections to a worker that dies, ${how} handovers`, () => {
    let primary: ReturnType<typeof spawn>
    let started: { readonly port: number; readonly pids: readonly number[] }
    before(async () => {
      primary = spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM, how], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      assert.ok(primary.stdout)
      const [line] = await once(createInterface(primary.stdout), 'line')
      started = JSON.parse(line)
    })
    after(() => primary.kill('SIGKILL'))

    const call = () =>
      new Promise<string>((resolve, reject) => {
        get({ port: started.port, host: '127.0.0.1' }, async (response) => {
          let text = ''
          for await (const part of response) text += part
          resolve(text)
        }).on('error', reject)
      })

    it(`${answered === 8 ? 'are all' : 'are not all'} answered by the other one`, async () => {
      const [frozen, other] = started.pids
      assert.ok(frozen && other)
      process.kill(frozen, 'SIGSTOP')
      let done = 0
      const calls = Array.from({ length: 8 }, () =>
        call().then((text) => {
          assert.equal(text, String(other))
          done += 1
        }),
      )
      // The other one goes on meanwhile with all but what was sent to the frozen one.
      while (done < 7) await wait(10)
      process.kill(frozen, 'SIGKILL')
      await Promise.race([Promise.all(calls), wait(answered === 8 ? 30_000 : 500)])
      assert.equal(done, answered)
    })
  })
}
