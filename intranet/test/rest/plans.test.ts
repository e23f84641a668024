import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { readsOf } from '@campus/test/support/every-read'
import { costOf, faultsOf, planOf } from '@campus/test/support/explain'
import { FACTORY_DEFINITIONS } from '@campus/test/support/factory-definitions'
import { makeLarge } from '@campus/test/support/make-large'
import { createRecordFactory, EVERYTHING } from '@campus/test/support/record-factory'
import pg from 'pg'
import { declaredRegistry } from '../../school/resources/declared.ts'

const MAX_ROWS = 1_000
/** Beyond what the same address costs without a query: about what it takes to look at thirty thousand rows. */
const MAX_FURTHER_COST = 1_500

const registry = declaredRegistry()
const all = registry.resources
const large = new Set(all.flatMap(({ large, table }) => (large ? table : [])))
/** Orders, filters and ranges that are declared to do without an index. */
const unindexed = new Map(all.map(({ name, index }) => [name, new Set<string>(index.unindexed ?? [])]))

/** A statement with its values, and the first address that sent it. */
type Sent = { readonly text: string; readonly values: readonly unknown[]; readonly address: string }

describe('in a school of half a million people', () => {
  let world: World & { readonly database: { readonly url: string } }
  let client: pg.Client

  before(async () => {
    world = (await campus({ seeded: true })) as typeof world
    // Two are those of whom a newcomer signs in as, which is much among sixty people and nothing among half a million.
    await world.database.rows(
      'delete from scale_teams where id in (select id from scale_teams where filled_at is null order by id limit 2)',
    )
    await fillEmptyTables()
    await makeLarge(world.database, [...large])
    client = new pg.Client({ connectionString: world.database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await world.close()
  })

  /** The demonstration need not have records of every resource. */
  async function fillEmptyTables(): Promise<void> {
    const factory = await createRecordFactory(world, registry)
    for (const { name, table, large } of all.filter(({ name }) => FACTORY_DEFINITIONS[name])) {
      const [found] = await world.database.rows(`select 1 from "${table}" limit 1`)
      for (let made = 0; large && !found && made < 30; made += 1) await factory.make(name)
    }
  }

  /** The statements that lists of large resources send, which are not run. */
  async function pagesOf(caller: Client): Promise<readonly Sent[]> {
    const ask = async (path: string) => (await caller.get(path)).json
    const reads = await readsOf(world.document as Parameters<typeof readsOf>[0], ask)
    const { rows } = world.database
    const sent = new Map<string, Sent>()
    let address = ''
    Object.assign(world.database, {
      rows: async (text: string, values: readonly unknown[] = []) => {
        if (/^select (count|coalesce)/.test(text)) return [['0']]
        if (!/ order by /.test(text)) return rows(text, values)
        if (!sent.has(text)) sent.set(text, { text, values, address })
        return []
      },
    })
    try {
      for (const path of reads.filter((path) => isLarge(path) && !path.includes('/graph') && !isUnindexed(path))) {
        address = path
        await ask(path)
      }
    } finally {
      Object.assign(world.database, { rows })
    }
    return [...sent.values()]
  }

  const isLarge = (path: string) =>
    large.has(
      path
        .split('?')[0]
        ?.split('/')
        .findLast((part) => /^[a-z_]+$/.test(part)) ?? '',
    )

  function isUnindexed(address: string): boolean {
    const [path = '', query = ''] = address.split('?')
    const asked = [...query.matchAll(/(?:sort=-?|(?:filter|range)\[)(\w+)/g)].map(([, name]) => name as string)
    return asked.some((name) => unindexed.get(path.split('/').at(-1) ?? '')?.has(name))
  }

  it('no page of a large list reads all of it, or sorts more than a page has need of', async () => {
    const faults: string[] = []
    const usual = new Map<string, number>()
    // An application of nobody's in particular has some records hidden from it.
    const sent = [...(await pagesOf(await world.caller(EVERYTHING))), ...(await pagesOf(world.visitor))]
    assert.ok(sent.length > 1_000)
    const planned = new Set<string>()
    for (const { text, values, address } of sent) {
      if (planned.has(text)) continue
      planned.add(text)
      const [path = '', query = ''] = address.split('?')
      const plan = await planOf(client, text, values)
      if (query === '') usual.set(path, costOf(plan))
      const found = faultsOf(plan, (table) => large.has(table), {
        rows: MAX_ROWS,
        cost: (usual.get(path) ?? 0) + MAX_FURTHER_COST,
      })
      if (found.length > 0) faults.push(`${address}: ${found.join(', ')}`)
    }
    assert.deepEqual(faults, [])
  })

  it('the records of a person to whom several ways lead are found by each way, in pages, totals and graphs', async () => {
    const id = Number((await world.database.rows('select max(id) from users'))[0]?.[0])
    const sentBelow = all.flatMap(({ name, large, parents = [] }) =>
      parents
        .filter(
          ({ chain: [last] }) => large && last && typeof last.association === 'object' && 'anyOf' in last.association,
        )
        .map(() => `/v2/users/${id}/${name}`),
    )
    assert.ok(sentBelow.length > 1)
    const caller = await world.caller(EVERYTHING)
    for (const path of sentBelow.flatMap((list) => [list, `${list}/graph/on/created_at/by/day`])) {
      const sent = await statementsOf(() => caller.get(path))
      const asked = sent.filter(({ text }) => text.includes('any(array('))
      assert.ok(asked.length > 0, path)
      for (const { text, values } of asked) {
        const plan = await planOf(client, text, values)
        assert.deepEqual(
          faultsOf(plan, (table) => large.has(table), { rows: MAX_ROWS, cost: MAX_FURTHER_COST }),
          [],
          path,
        )
      }
    }
  })

  it('teams by what is set are found in their order, and counted by no more than a sum', async () => {
    for (const name of ['locked', 'closed', 'deadline', 'terminating', 'with_mark']) {
      for (const value of [true, false]) {
        const sent = await statementsOf(() => world.visitor.get(`/v2/teams?filter[${name}]=${value}`))
        assert.ok(!sent.some(({ text }) => text.includes('count(*)')), name)
        const page = sent.find(({ text }) => text.includes('num_nonnulls'))
        assert.ok(page, name)
        const plan = await planOf(client, page.text, page.values)
        assert.match(JSON.stringify(plan), /"Index Cond":"\(+num_nonnulls/, name)
        assert.deepEqual(
          faultsOf(plan, (table) => large.has(table), { rows: MAX_ROWS, cost: Number.POSITIVE_INFINITY }),
          [],
          name,
        )
      }
    }
  })

  /** Sends a request, and returns its statements. */
  async function statementsOf(ask: () => Promise<{ readonly status: number; readonly text: string }>) {
    const { rows } = world.database
    const sent: Sent[] = []
    Object.assign(world.database, {
      rows: (text: string, values: readonly unknown[] = []) => {
        sent.push({ text, values, address: '' })
        return rows(text, values)
      },
    })
    // Nothing of what was answered before is kept.
    world.database.changes.recordEverything()
    try {
      const { status, text } = await ask()
      assert.equal(status, 200, text)
    } finally {
      Object.assign(world.database, { rows })
    }
    return sent
  }

  it('no graph of a whole large list reads its records', async () => {
    const graphs = all.filter(({ large, graph }) => large && graph)
    assert.ok(graphs.length > 5)
    const { rows } = world.database
    const caller = await world.caller(EVERYTHING)
    for (const { name, table, graph } of graphs) {
      for (const field of graph?.fields ?? []) {
        const sent: string[] = []
        const listen = async (text: string, values: readonly unknown[] = []) => {
          sent.push(text)
          return rows(text, values)
        }
        Object.assign(world.database, { rows: listen })
        try {
          const { status } = await caller.get(`/v2/${name}/graph/on/${field}/by/day?time_zone=Asia/Kolkata`)
          assert.equal(status, 200)
        } finally {
          Object.assign(world.database, { rows })
        }
        assert.deepEqual(
          sent.filter((text) => text.includes(`from "${table}"`)),
          [],
          `${name} by ${field}`,
        )
      }
    }
  })
})
