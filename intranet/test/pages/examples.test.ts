import assert from 'node:assert/strict'
import { before, describe, it, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { atOnce } from '@campus/engine/base/slices'
import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { Registry } from '@campus/engine/rest/declare/registry'
import { routeTable } from '@campus/engine/rest/route-table'
import { ASSETS } from '@campus/reference/assets'
import { type Example, movedTo, RECORDED_URL, type Recorded } from '@campus/reference/examples'
import type { Operation, Reference } from '@campus/reference/model'
import { readReference } from '@campus/reference/read-reference'
import { exampleOfOperation, exampleOfSchema } from '@campus/reference/schema-examples'
import { createSite } from '@campus/reference/site'
import { recordExamples } from '@campus/test/support/record-examples'
import { recordedExamples } from '@campus/test/support/recorded-examples'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { STYLESHEET } from '../../pages/stylesheet.ts'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { declaredDocument } from '../../school/resources/api-document.ts'
import { tagGroups } from '../../school/resources/declared.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const registry = new Registry(resources(new Sealer(Buffer.alloc(32, 7))), COMMON_ACCESS)
const table = routeTable(registry)
const document = declaredDocument()
const reference: Reference = atOnce(readReference({ document, registry, table, subjects: tagGroups() }))
const operations: readonly Operation[] = reference.resources.flatMap(({ actions }) =>
  actions.flatMap((action) => action.operations),
)
/** Recordings of one run that are compared; `npm run test:release` makes two. */
const RECORDINGS = Number(process.env.CAMPUS_TEST_RECORDINGS ?? 1)
/** Times that are years after the clock of the recording. */
const YEARS_AHEAD = /"(?:anonymize|data_erasure)_date":"[^"]+"/g
/** Addresses of the recorded service and of a receiver in the demonstration. */
const ADDRESSES = [RECORDED_URL, 'https://localhost:8444']
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g

describe('the recorded examples of the reference', () => {
  let examples: Recorded['examples']
  let bodies: Recorded['bodies']
  let each: readonly { readonly id: string; readonly example: Example }[]
  // The recorder's client holds each answer to the OpenAPI document.
  before(async () => {
    ;({ examples, bodies } = await recordedExamples())
    each = Object.entries(examples).flatMap(([id, list]) => list.map((example) => ({ id, example })))
  })

  test('hold nothing of the clock, of chance or of the machine, so that another recording is the same', async () => {
    const text = JSON.stringify({ examples, bodies })
    const days = [...text.replace(YEARS_AHEAD, '').matchAll(/"(\d{4}-\d\d-\d\d)T/g)].map(([, day = '']) => day)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    assert.ok(days.length > 100)
    assert.deepEqual(
      days.filter((day) => day >= yesterday),
      [],
    )
    assert.equal(new Set(text.match(UUID)).size, 1)
    assert.deepEqual(
      (text.match(/https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:\d]*/g) ?? []).filter(
        (one) => !ADDRESSES.includes(one),
      ),
      [],
    )
    for (let number = 2; number <= RECORDINGS; number += 1)
      assert.deepEqual(JSON.parse(JSON.stringify(await recordExamples())), { examples, bodies })
  })

  test('are there for every action of every resource, the first of them a success', () => {
    const first = reference.resources.flatMap(({ actions }) => actions.map(({ operations }) => operations[0].id))
    const without = first.filter((id) => !examples[id]?.[0] || examples[id][0].status >= 300)
    assert.deepEqual(without, WITHOUT)
  })

  test('belong to the operation that they stand with', () => {
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

describe('the examples that are made from the schemas', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const faultsOf = (schema: JsonSchema, value: unknown) => {
    const validate = ajv.compile(movedRefs(schema))
    return validate(value) ? [] : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  const movedRefs = (schema: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))

  it('are payloads and answers that the schemas accept, for every operation', () => {
    for (const operation of operations) {
      const { body, answer, status } = exampleOfOperation(reference.resolve, operation)
      if (operation.payload) assert.deepEqual(faultsOf(operation.payload, body), [], `${operation.id}: payload`)
      const schema = operation.answers.find((one) => one.status === status)?.schema
      if (schema) assert.deepEqual(faultsOf(schema, answer), [], `${operation.id}: ${JSON.stringify(answer)}`)
    }
    assert.ok(operations.length > 500)
  })

  it('are bodies that the schemas accept, for every webhook', () => {
    const webhooks = reference.resources.flatMap(({ webhook }) => webhook ?? [])
    for (const { model, schema } of webhooks)
      assert.deepEqual(faultsOf(schema, exampleOfSchema(reference.resolve, schema)), [], model)
    assert.ok(webhooks.length > 60)
  })

  it('have addresses without parameters that are left open', () => {
    for (const operation of operations)
      assert.doesNotMatch(exampleOfOperation(reference.resolve, operation).path, /[{}]|undefined|null/, operation.id)
    const ofAlumni = operations.find(({ parameters }) =>
      parameters.some((one) => one.name === 'campus_id' && one.isRequired && one.in === 'query'),
    )
    assert.match(exampleOfOperation(reference.resolve, ofAlumni as Operation).path, /\?per_page=1&campus_id=1$/)
  })
})

describe('the pages of the reference', () => {
  const baseUrl = 'https://school.test'
  const NOTHING_RECORDED: Recorded = { examples: {}, bodies: {} }
  const siteWith = (recorded: Recorded) =>
    createSite({ document: async () => document, registry, table, subjects: tagGroups(), baseUrl }, recorded)
  const everyPage = async (recorded: Recorded) => {
    const site = await siteWith(recorded)
    return Promise.all(
      reference.resources.map(async ({ name, actions, webhook }) => ({
        ...{ name, actions, webhook },
        html: (await site.page(`/apidoc/${name}`)?.())?.html ?? '',
        markdown: site.markdown(`/apidoc/${name}.md`) ?? '',
      })),
    )
  }

  it('show an example of every action and of every webhook without a recording', async () => {
    for (const { name, actions, webhook, html, markdown } of await everyPage(NOTHING_RECORDED)) {
      assert.equal(html.split('<div class="example">').length - 1, actions.length, name)
      assert.equal(markdown.split('\n```sh\n').length - 1, actions.length, name)
      if (webhook) for (const page of [html, markdown]) assert.match(page, /X-Event: update[\s\S]{0,40}\{/, name)
      assert.doesNotMatch(html + markdown, /\bundefined\b|\[object/, name)
    }
  })

  it('show what was recorded, at the address of the service', async () => {
    const recorded: Recorded = movedTo(baseUrl, JSON.stringify(await recordedExamples()))
    const pages = await everyPage(recorded)
    const page = pages.find(({ name }) => name === 'users')
    const [shown] = recorded.examples.getUser ?? []
    const url = String(Object(shown?.answer).url)
    assert.ok(url.startsWith(`${baseUrl}/v2/users/`), url)
    assert.ok(page?.markdown.includes(`"${url}"`))
    for (const { name, html, markdown } of pages) assert.ok(!(html + markdown).includes(RECORDED_URL), name)
  })

  it('weigh no more than 100 kB on the wire, scripts and styles included, with and without a recording', async () => {
    const shared = [...ASSETS, STYLESHEET].reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    for (const recorded of [NOTHING_RECORDED, await recordedExamples()]) {
      for (const { name, html } of await everyPage(recorded)) {
        const bytes = gzipSync(html).length
        assert.ok(bytes + shared < 100_000, `${name}: ${bytes} bytes and ${shared}`)
      }
    }
  })
})

/** The document itself would be too long an example; a file and the metrics are no JSON. */
const WITHOUT = ['getFile', 'listResources', 'getOpenapiDocument', 'getReadiness', 'getLiveness', 'getMetrics']
