import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { lineOf, orderOf } from '../../bench/peers/compare.ts'
import type { Question } from '../../bench/peers/questions.ts'
import { formatReport } from '../../bench/peers/report.ts'
import { requireSameRows } from '../../bench/peers/same-rows.ts'
import type { Dialect } from '../../bench/peers/servers.ts'

describe('rounds of the bench beside other servers', () => {
  it('measure everybody once, and over time nobody more often first than others', () => {
    for (const count of [2, 3, 4]) {
      const first = Array.from({ length: count }, () => 0)
      for (let round = 0; round < 2 * count; round += 1) {
        const order = orderOf(count, round)
        assert.deepEqual([...order].sort(), [...first.keys()])
        first[order[0] as number] = (first[order[0] as number] as number) + 1
      }
      assert.deepEqual(
        first,
        first.map(() => 2),
      )
    }
  })

  it('compare what was measured in one round, however slow the machine became meanwhile', () => {
    const ours = [1000, 500, 10].map(sampleOf)
    const other = [500, 250, 5].map(sampleOf)
    const { samples, ratios } = lineOf('users', [ours, other])
    assert.deepEqual(ratios, [1, 2])
    assert.deepEqual(
      samples.map(({ requestsPerSecond }) => requestsPerSecond),
      [500, 250],
    )
  })

  it('say the ratio of ours to each other server, and leave out the processor time of a database elsewhere', () => {
    const line = lineOf('users', [[sampleOf(3000)], [sampleOf(1000)], [sampleOf(12_000)]])
    const text = formatReport({
      machine: { processor: 'one', cores: 2, memoryGigabytes: 1, node: 'v24', database: 'PostgreSQL 18', rows: {} },
      loadBefore: 0.5,
      connections: 8,
      rounds: 1,
      anewNames: ['Campus', 'Slow', 'Fast'],
      anew: [line],
      againNames: [],
      again: [],
      memory: [],
    })
    assert.match(text, /\| users \| 3,000 \(1 ms\) \| 1,000 \(1 ms\) \| 12,000 \(1 ms\) \| 3 × \| 0\.25 × \|/)
    assert.match(text, /\| users \| 2 ms \| 2 ms \| 2 ms \|/)
  })
})

describe('the bench beside other servers measures nothing', () => {
  const page = { table: 'users', withTotal: true } as const
  const question: Question = { name: 'users', page, ask: (dialect) => [dialect.page(page)] }

  it('where one shows other rows, another order or another total', async () => {
    const ours = await serve({ ids: [3, 2, 1], total: 9 })
    await requireSameRows([ours, await serve({ ids: [3, 2, 1], total: 9 })], [question])
    for (const wrong of [
      { ids: [3, 2, 4], total: 9 },
      { ids: [2, 3, 1], total: 9 },
      { ids: [3, 2], total: 9 },
      { ids: [3, 2, 1], total: 8 },
      { ids: [3, 2, 1] },
    ]) {
      await assert.rejects(requireSameRows([ours, await serve(wrong)], [question]), /“users”/)
    }
  })

  it('where there is nothing to show, or it is refused', async () => {
    const empty = { ids: [], total: 0 }
    await assert.rejects(requireSameRows([await serve(empty), await serve(empty)], [question]), /nothing to show/)
    await assert.rejects(requireSameRows([await serve(empty, 403)], [question]), /answered 403/)
  })
})

describe('other servers of the bench', () => {
  for (const path of globSync('bench/peers/*/package.json')) {
    it(`are named in exact versions: ${path}`, () => {
      const { dependencies } = JSON.parse(readFileSync(path, 'utf8'))
      for (const version of Object.values(dependencies)) assert.match(version as string, /^\d+\.\d+\.\d+$/)
    })
  }

  it('are no dependencies of the service', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const names = Object.keys(packages).filter((name) => /feathers|directus/.test(name))
    assert.deepEqual(names, [])
  })
})

const sampleOf = (requestsPerSecond: number) => ({
  requestsPerSecond,
  p50: 1,
  p99: 1,
  ownMilliseconds: 2,
  databaseMilliseconds: Number.NaN,
})

const dialect: Dialect = {
  page: () => ({ path: '/' }),
  one: () => ({ path: '/' }),
  write: () => ({ path: '/' }),
  read: (body) => JSON.parse(body),
}

/** A server with one page, until the process ends. */
async function serve(body: { readonly ids: readonly number[]; readonly total?: number }, status = 200) {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    name: 'a server',
    dialect,
    running: { target: { url, headers: {} }, pid: process.pid, stop: async () => {} },
  }
}
