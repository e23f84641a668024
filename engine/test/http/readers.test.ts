/** Files are read in processes that the service does not fork itself. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { until } from '@campus/test/support/until'
import { number, object } from 'valibot'
import { HttpError } from '../../errors.ts'
import { readInProcess, startReaderHost } from '../../http/readers/read-in-process.ts'

const LIMITS = { seconds: 20, heapMib: 32 }

/** Code that a reader runs after its answer, by how the reader then ends. */
const BOMBS = {
  heap: 'const held = []; for (let at = 0; ; at += 1) held.push("x".repeat(1000) + at + "é".normalize())',
  abort: 'process.abort()',
  exception: 'throw new Error("broken")',
  loop: 'for (;;);',
} as const

describe('a reader', { skip: process.platform === 'linux' ? false : 'SKIPPED: needs Linux' }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const answers = object({ pid: number(), host: number() })

  async function run(program: string, { seconds = 20, signal }: { seconds?: number; signal?: AbortSignal } = {}) {
    const path = join(folder.path, 'file')
    await writeFile(path, 'content')
    await writeFile(
      join(folder.path, 'reader.ts'),
      `import { writeFileSync } from 'node:fs'
       const { path, output } = JSON.parse(process.argv[2])
       const answer = { pid: process.pid, host: process.ppid }
       writeFileSync(path + '.begun', JSON.stringify(answer))
       process.send(answer, () => { ${program} })`,
    )
    const from = new URL(`file://${folder.path}/test.ts`).href
    const task = { reader: 'reader', from, path, more: {}, limits: { ...LIMITS, seconds }, answers }
    return readInProcess(task, { personId: 1, signal })
  }
  const childrenOf = async (pid: number) =>
    (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).map(Number)

  it('has the host that was started before the first file', async () => {
    startReaderHost()
    const hosts = await childrenOf(process.pid)
    startReaderHost()
    assert.deepEqual([hosts.length, await childrenOf(process.pid)], [1, hosts])
    assert.equal((await run('process.exit()')).answer?.host, hosts[0])
  })

  for (const [what, program] of Object.entries(BOMBS))
    it(`ends alone by ${what}, and the next reader has the same host`, async () => {
      const { answer: before } = await run('process.exit()')
      const { wasKilled } = await run(program, { seconds: what === 'loop' ? 1 : 20 })
      assert.equal(wasKilled, what !== 'exception')
      const { answer, wasKilled: isKilled } = await run('process.exit()')
      assert.ok(before && answer)
      assert.deepEqual([answer.host, isKilled], [before.host, false])
      assert.notEqual(answer.pid, before.pid)
      assert.ok((await childrenOf(process.pid)).includes(answer.host))
      assert.deepEqual(await childrenOf(answer.host), [])
    })

  it('may run longer than its limit of processor time while it waits', async () => {
    const { answer, wasKilled } = await run('setTimeout(() => process.exit(), 6_000)', { seconds: 5 })
    assert.ok(answer)
    assert.equal(wasKilled, false)
  })

  it('is killed when it has used its processor time', async () => {
    const { wasKilled } = await run('while (process.cpuUsage().user < 3_000_000); process.exit()', { seconds: 1 })
    assert.equal(wasKilled, true)
  })

  it('returns no answer if its answer does not match the schema', async () => {
    const { answer } = await run('process.send({ pid: "none" }, () => process.exit())')
    assert.equal(answer, undefined)
  })

  it('is refused with 503 if its host exits, and the next reader has another host', async () => {
    const { answer: before } = await run('process.exit()')
    const refused = run('setInterval(() => {}, 1000)')
    const isRefused = assert.rejects(refused, (error) => error instanceof HttpError && error.status === 503)
    assert.ok(before)
    await until(async () => (await childrenOf(before.host)).length > 0)
    process.kill(before.host, 'SIGKILL')
    await isRefused
    const { answer } = await run('process.exit()')
    assert.ok(answer && answer.host !== before.host)
  })

  it('is killed when its caller aborts', async () => {
    const { answer: before } = await run('process.exit()')
    const stopping = new AbortController()
    const given = assert.rejects(run('setInterval(() => {}, 1000)', { signal: stopping.signal }), /stopped/)
    assert.ok(before)
    await until(async () => (await childrenOf(before.host)).length > 0)
    stopping.abort(new Error('stopped'))
    await given
    await until(async () => (await childrenOf(before.host)).length === 0)
  })
})
