import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Example, RECORDED_URL, readExamples } from '../../src/pages/reference/examples.ts'
import { readReference } from '../../src/pages/reference/read-reference.ts'
import { resources } from '../../src/resources/index.ts'
import { Registry } from '../../src/rest/declare/registry.ts'
import { routeTable } from '../../src/rest/route-table.ts'
import { Sealer } from '../../src/sealer.ts'
import { campus, type World } from '../support/campus.ts'
import { type ResponseValidator, responseValidator } from '../support/openapi.ts'
import { recordExamples } from '../support/record-examples.ts'

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))))
const table = routeTable(registry)
const examples = readExamples(RECORDED_URL)
const each = Object.entries(examples).flatMap(([id, list]) => list.map((example) => ({ id, example })))

describe('the examples of the reference', () => {
  let world: World
  // biome-ignore lint/suspicious/noExplicitAny: a document
  let document: any
  let validate: ResponseValidator
  before(async () => {
    world = await campus()
    const text = (await world.anonymous.get('/v2/openapi.json')).text
    document = JSON.parse(text.replaceAll(world.url, RECORDED_URL))
    validate = responseValidator(document)
  })
  after(() => world.close())

  test('are what the seeded service answers now: "npm run examples" writes them anew', async () => {
    const answered = await recordExamples()
    assert.deepEqual(Object.keys(examples), Object.keys(answered))
    for (const id of Object.keys(answered)) assert.deepEqual(examples[id], answered[id], id)
  })

  test('are what the OpenAPI document promises', () => {
    const unkept = (headers: Example['headers']) => ({ get: (name: string) => headers[name] ?? UNKEPT[name] ?? null })
    for (const { example } of each) {
      const { method, path, status, headers, answer } = example
      const type = { ...headers, ...(answer === undefined ? {} : { 'content-type': 'application/json' }) }
      validate(method, path, status, unkept(type), answer)
    }
  })

  test('are there for every action of every resource, the first of them a success', () => {
    const { resources } = readReference({ document, registry, table })
    const first = resources.flatMap(({ actions }) => actions.map(({ operations }) => operations[0].id))
    const without = first.filter((id) => !examples[id]?.[0] || examples[id][0].status >= 300)
    assert.deepEqual(without, WITHOUT)
  })

  test('belong to the operation that they stand with', () => {
    const { resources } = readReference({ document, registry, table })
    const operations = resources.flatMap(({ actions }) => actions.flatMap((action) => action.operations))
    for (const { id, example } of each) {
      const operation = operations.find((one) => one.id === id)
      assert.equal(example.method, operation?.method, id)
      const pattern = new RegExp(`^${operation?.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)
      assert.match(example.path.split('?')[0] as string, pattern, id)
    }
  })

  test('hold no secret', () => {
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
const WITHOUT = ['getFile', 'listResources', 'getOpenapiDocument', 'getMetrics']

/** Headers that differ from answer to answer are not kept. */
const UNKEPT: Readonly<Record<string, string>> = {
  'X-Application-Id': '1',
  'X-Application-Name': 'Reader',
  'X-Application-Roles': 'None',
  'X-Request-Id': 'an-example',
  'X-Runtime': '0.01',
  'X-Hourly-RateLimit-Limit': '1200',
  'X-Hourly-RateLimit-Remaining': '1199',
  'X-Secondly-RateLimit-Limit': '2',
  'X-Secondly-RateLimit-Remaining': '1',
  ETag: 'W/"an-example"',
}
