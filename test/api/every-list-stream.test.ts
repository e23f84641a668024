import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readGuarded } from '../../src/formulas.ts'
import { campus, type World } from '../support/campus.ts'
import type { Client } from '../support/client.ts'
import { describedLists, listFinder } from '../support/school-lists.ts'

const CSV = { accept: 'text/csv' }
const NDJSON = { accept: 'application/x-ndjson' }

let world: World
before(async () => {
  world = await campus({ seeded: true })
})
after(() => world.close())

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

/** What a line says of a record: what has no value left out, and an object that has one column of its own taken apart. */
const saidIn = (line: Values): Values =>
  Object.fromEntries(
    Object.entries(line).flatMap(([name, value]): [string, unknown][] => {
      if (value === undefined) return []
      const isObject = typeof value === 'string' && value.startsWith('{') && value.endsWith('}')
      return isObject ? Object.entries(valuesOf(JSON.parse(value), `${name}.`)) : [[name, value]]
    }),
  )

async function allPages(caller: Client, address: string): Promise<Values[]> {
  const records: Values[] = []
  for (let page = 1; ; page += 1) {
    const { status, json, text } = await caller.get(`${address}per_page=100&page=${page}`)
    assert.equal(status, 200, text)
    records.push(...json)
    if (json.length < 100) return records
  }
}

it('the whole of every list says as NDJSON and as CSV what its pages say', async () => {
  const lists = describedLists((await world.anonymous.get('/v2/openapi.json')).json)
  const find = await listFinder(world)
  assert.ok(lists.length > 100)
  for (const list of lists) {
    const found = await find(list)
    assert.ok(found, `${list.path} is empty`)
    const address = `${found.address}?${found.required}`
    const records = await allPages(found.caller, address)
    const { text: lines } = await found.caller.get(address, NDJSON)
    const told = lines
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    assert.deepEqual(told, records, list.path)
    const table = readTable((await found.caller.get(address, CSV)).text)
    assert.deepEqual(
      table.lines.map(saidIn),
      records.map((record) => valuesOf(record)),
      list.path,
    )
  }
})
