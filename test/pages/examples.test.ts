import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Sealer } from '../../src/base/sealer.ts'
import { atOnce } from '../../src/base/slices.ts'
import { RECORDED_URL, readBodies, readExamples } from '../../src/pages/reference/examples.ts'
import { readReference } from '../../src/pages/reference/read-reference.ts'
import { resources } from '../../src/resources/index.ts'
import { Registry } from '../../src/rest/declare/registry.ts'
import type { OpenapiDocument } from '../../src/rest/openapi/document.ts'
import { routeTable } from '../../src/rest/route-table.ts'
import { campus, type World } from '../support/campus.ts'
import { recordExamples } from '../support/record-examples.ts'

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))))
const table = routeTable(registry)
const examples = readExamples(RECORDED_URL)
const bodies = readBodies(RECORDED_URL)
const each = Object.entries(examples).flatMap(([id, list]) => list.map((example) => ({ id, example })))

describe('the examples of the reference', () => {
  let world: World
  let document: OpenapiDocument
  before(async () => {
    world = await campus()
    document = world.document
  })
  after(() => world.close())

  // The recorder's client holds each answer to the OpenAPI document.
  test('are what the seeded service answers now: "npm run generate -- examples" writes them anew', async () => {
    const { examples: answered, bodies: sent } = await recordExamples()
    assert.deepEqual(Object.keys(examples), Object.keys(answered))
    for (const id of Object.keys(answered)) assert.deepEqual(examples[id], answered[id], id)
    assert.deepEqual(bodies, sent)
  })

  test('are there for every action of every resource, the first of them a success', () => {
    const { resources } = atOnce(readReference({ document, registry, table }))
    const first = resources.flatMap(({ actions }) => actions.map(({ operations }) => operations[0].id))
    const without = first.filter((id) => !examples[id]?.[0] || examples[id][0].status >= 300)
    assert.deepEqual(without, WITHOUT)
  })

  test('belong to the operation that they stand with', () => {
    const { resources } = atOnce(readReference({ document, registry, table }))
    const operations = resources.flatMap(({ actions }) => actions.flatMap((action) => action.operations))
    for (const { id, example } of each) {
      const operation = operations.find((one) => one.id === id)
      assert.equal(example.method, operation?.method, id)
      const pattern = new RegExp(`^${operation?.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)
      assert.match(example.path.split('?')[0] as string, pattern, id)
    }
  })

  test('are there for every webhook', () => {
    assert.deepEqual(Object.keys(bodies).sort(), Object.keys(document.webhooks).sort())
    for (const [model, body] of Object.entries(bodies)) assert.equal(Number.isInteger(Object(body).id), true, model)
  })

  test('hold no secret', () => {
    assert.doesNotMatch(JSON.stringify(bodies), /[0-9a-f]{64}/)
    for (const { id, example } of each) {
      const { access_token, client_secret } = { ...(example.body as object), ...(example.answer as object) } as {
        access_token?: string
        client_secret?: string
      }
      assert.ok([undefined, '<access_token>'].includes(access_token), id)
      assert.ok([undefined, '<client_secret>', 'not-it'].includes(client_secret), id)
      assert.doesNotMatch(JSON.stringify(example).replace(/"uid":"[0-9a-f]{64}"/g, ''), /[0-9a-f]{64}/, id)
    }
  })
})

/** The document itself would be too long an example; a file and the metrics are no JSON. */
const WITHOUT = ['getFile', 'listResources', 'getOpenapiDocument', 'getReadiness', 'getLiveness', 'getMetrics']
