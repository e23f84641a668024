import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readGuarded } from '@campus/engine/base/text/formulas'
import { campus, type World } from '@campus/test/support/campus'
import { type DescribedList, describedLists, type FilledList, listFinder } from '@campus/test/support/school-lists'
import { parse } from 'csv-parse/sync'
import { declaredRegistry } from '../../school/resources/declared.ts'

const CSV = { accept: 'text/csv' }
const NDJSON = { accept: 'application/x-ndjson' }

const registry = declaredRegistry()
let world: World
let lists: readonly DescribedList[]
const filled = new Map<string, FilledList>()

before(async () => {
  world = await campus({ seeded: true })
  lists = describedLists(world.document)
  const find = await listFinder(world)
  for (const list of lists) {
    const found = await find(list)
    if (found) filled.set(list.path, found)
  }
})
after(() => world.close())

it('every list has records to show in the demonstration school, but for those of a resource that it has none of', async () => {
  const empty = lists.filter(({ path }) => !filled.has(path)).map(({ path }) => path)
  const found = registry.resources.map(
    ({ name, table }) => `select '${name}' where not exists (select from "${table}")`,
  )
  const without = (await world.database.rows(found.join(' union all '))).flat()
  assert.deepEqual(
    empty.filter((path) => !without.some((name) => path.endsWith(`/${name}`))),
    [],
  )
})

describe('whatever answers a list', () => {
  it('is described with its pages, its order and its selection', () => {
    assert.ok(lists.length > 100)
    for (const { path, parameters, headers } of lists) {
      for (const name of ['page', 'page[number]', 'per_page', 'page[size]', 'sort']) {
        assert.ok(parameters.includes(name), `${path} does not take ${name}`)
      }
      assert.ok(
        parameters.some((name) => name.startsWith('filter[')),
        `${path} takes no filter`,
      )
      for (const name of ['Link', 'X-Page', 'X-Per-Page', 'X-Total']) {
        assert.ok(headers.includes(name), `${path} does not answer ${name}`)
      }
    }
  })

  it('comes page by page, says how much there is, and ends with an empty page', async () => {
    for (const [path, { address, required, caller }] of filled) {
      const total = Number((await caller.get(`${address}?${required}`)).headers.get('x-total'))
      const size = Math.min(100, Math.ceil(total / 2))
      const pages = Math.ceil(total / size)
      const ask = async (page: number) => {
        const { status, headers, json, text } = await caller.get(`${address}?${required}per_page=${size}&page=${page}`)
        assert.equal(status, 200, `${address}: ${text}`)
        const said = ['x-page', 'x-per-page', 'x-total'].map((name) => Number(headers.get(name)))
        assert.deepEqual(said, [page, size, total], `${path}, page ${page}`)
        const links = String(headers.get('link')).matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)
        return { records: json, links: Object.fromEntries([...links].map(([, number, rel]) => [rel, Number(number)])) }
      }
      const first = await ask(1)
      assert.equal(first.records.length, Math.min(size, total), path)
      assert.deepEqual(first.links, pages > 1 ? { next: 2, last: pages } : {}, path)
      const last = await ask(pages)
      assert.equal(last.records.length, total - (pages - 1) * size, path)
      assert.equal(last.links.next, undefined, path)
      assert.deepEqual((await ask(pages + 1)).records, [], path)
    }
  })

  it('comes whole as NDJSON and as CSV, and says in both what its pages say', async () => {
    for (const [path, { address, required, caller }] of filled) {
      const records: Values[] = []
      for (let page = 1; records.length === (page - 1) * 100; page += 1)
        records.push(...(await caller.get(`${address}?${required}per_page=100&page=${page}`)).json)
      const { text: lines } = await caller.get(`${address}?${required}`, NDJSON)
      const reported = lines
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      assert.deepEqual(reported, records, path)
      const table = readTable((await caller.get(`${address}?${required}`, CSV)).text)
      assert.deepEqual(
        table.lines.map(saidIn),
        records.map((record) => valuesOf(record)),
        path,
      )
    }
  })

  it('refuses pages, filters and orders that it does not have', async () => {
    for (const [path, { address, required, caller }] of filled) {
      for (const query of ['page=0', 'per_page=none', 'filter[nothing]=1', 'range[nothing]=1,2', 'sort=nothing']) {
        assert.equal((await caller.get(`${address}?${required}${query}`)).status, 400, `${path}?${query}`)
      }
    }
  })

  it('is narrowed and turned round by id', async () => {
    for (const [path, { address, required, caller }] of filled) {
      const idsOf = async (query: string): Promise<number[]> => {
        const { json } = await caller.get(`${address}?${required}per_page=100&${query}`)
        return json.map(idIn)
      }
      const upward = await idsOf('sort=id')
      assert.deepEqual(
        upward,
        upward.toSorted((one, other) => one - other),
        path,
      )
      if (upward.length < 100) assert.deepEqual(await idsOf('sort=-id'), upward.toReversed(), path)
      const [id] = upward
      assert.deepEqual([...new Set(await idsOf(`filter[id]=${id}`))], [id], path)
    }
  })
})

/** A few resources come wrapped in their singular name. */
const idIn = (record: Readonly<Record<string, unknown>>): number =>
  (record.id as number | undefined) ?? idIn(Object.values(record)[0] as Readonly<Record<string, unknown>>)

type Values = Readonly<Record<string, unknown>>

/** Lines of a table as their readers see them: texts stand in quotes, nothing is null, the rest is JSON. */
function readTable(text: string): { readonly columns: readonly string[]; readonly lines: readonly Values[] } {
  const [header = [], ...rows] = parse(text, {
    record_delimiter: '\r\n',
    cast: (cell, { quoting, lines }) =>
      lines === 1 || quoting ? readGuarded(cell) : cell === '' ? undefined : JSON.parse(cell),
  }) as unknown as unknown[][]
  const columns = header.map(String)
  return { columns, lines: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))) }
}

/** The values of a record by the names of their columns, those that are null left out. */
function valuesOf(record: Values, before = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      if (value === null) return []
      if (Array.isArray(value)) return [[before + name, JSON.stringify(value)]]
      if (typeof value !== 'object') return [[before + name, value]]
      return Object.entries(valuesOf(value as Values, `${before}${name}.`))
    }),
  )
}

/** Returns a line of NDJSON as CSV shows it: without empty values, with an object in a column flattened. */
const saidIn = (line: Values): Values =>
  Object.fromEntries(
    Object.entries(line).flatMap(([name, value]): [string, unknown][] => {
      if (value === undefined) return []
      const isObject = typeof value === 'string' && value.startsWith('{') && value.endsWith('}')
      return isObject ? Object.entries(valuesOf(JSON.parse(value), `${name}.`)) : [[name, value]]
    }),
  )
