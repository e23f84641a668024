import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as passed } from 'node:timers/promises'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import fc from 'fast-check'
import { campus } from '../support/campus.ts'
import type { Client } from '../support/client.ts'
import { FACTORY_DEFINITIONS } from '../support/factory-definitions.ts'
import { type Call, callMaker, type Operation, operationsOf, type Representation } from '../support/fuzz/calls.ts'
import type { KnownIds } from '../support/fuzz/schema-values.ts'
import { errorsOf } from '../support/json-api.ts'
import { personOf } from '../support/people.ts'
import { createRecordFactory, EVERYTHING } from '../support/record-factory.ts'

/** How many calls there are in all; the ordinary suite takes a sample. */
const RUNS = Number(process.env.CAMPUS_TEST_FUZZ_RUNS ?? 3000)
const SEED = Number(process.env.CAMPUS_TEST_FUZZ_SEED ?? 42)

// The document says which tests there are, so that it is asked for before they are declared.
const world = await campus({ seeded: true })
after(() => world.close())
const { json: document } = await world.anonymous.get('/v2/openapi.json')
const registry = declaredRegistry()
const factory = await createRecordFactory(world, registry)
for (const resource of Object.keys(FACTORY_DEFINITIONS)) await factory.find(resource)

const operations = operationsOf(document)
const representations: readonly Representation[] = ['plain', 'JSON:API']
const numRuns = Math.max(2, Math.ceil(RUNS / (operations.length * representations.length)))
const answered = new Map<string, number>()

describe(`${numRuns} calls of each operation in either representation are answered as the document says:`, () => {
  for (const [at, operation] of operations.entries()) {
    test(`${operation.method} ${operation.path}`, { timeout: 3_600_000 }, async () => {
      known ??= lookAround()
      const { sound, broken, readers } = await known
      const kind = kindOfCaller(at)
      const caller = operation.method === 'GET' ? readers[kind] : await makeCaller(kind)
      for (const representation of representations) {
        const calls = fc.oneof(sound(operation, representation), {
          weight: 2,
          arbitrary: broken(operation, representation),
        })
        const examples = fc.sample(sound(operation, representation), { seed: SEED + at, numRuns: 1 })
        await fc.assert(
          fc.asyncProperty(calls, (call) => answersAsDescribed(caller, call, operation)),
          { seed: SEED + at, numRuns, examples: examples.map((call): [Call] => [call]) },
        )
      }
      if (operation.method === 'DELETE') known = undefined
    })
  }

  test('and many of them are done, so that more than refusals was looked at', (t) => {
    const shares = Object.fromEntries([...answered].sort())
    t.diagnostic(JSON.stringify(shares))
    const count = (kind: string) => answered.get(kind) ?? 0
    for (const kind of ['GET sound 200', 'POST sound 201', 'PATCH sound 204', 'DELETE sound 204', 'GET broken 400']) {
      assert.ok(count(kind) > 10, `${kind}: ${count(kind)}`)
    }
  })
})

/** The test world's clients hold each answer against the document: its status, its headers and its body. */
async function answersAsDescribed(caller: Client, call: Call, { method }: Operation): Promise<void> {
  const { path, headers, body } = call
  const answer = await Promise.race([
    caller.request(method, path, { headers, ...(body === undefined ? {} : { body }) }),
    passed(60_000, undefined, { ref: false }).then(() => assert.fail(`${method} ${path} is not answered`)),
  ])
  assert.ok(answer.status < 500, `${answer.status} ${answer.text.slice(0, 300)}`)
  if (answer.headers.get('content-type')?.startsWith('application/vnd.api+json') && answer.json !== undefined)
    assert.deepEqual(errorsOf(answer.json, { hasFields: path.includes('fields') }), [], answer.text.slice(0, 300))
  const kind = `${method} ${call.isSound ? 'sound' : 'broken'} ${answer.status}`
  answered.set(kind, (answered.get(kind) ?? 0) + 1)
}

/** Known records and callers. Loaded again after deletions. */
let known: ReturnType<typeof lookAround> | undefined

async function lookAround() {
  const maker = callMaker(document, await idsThatAreThere())
  // Made after the look, so that no call names them.
  const [visitor, application, person] = [world.visitor, await makeCaller('application'), await makeCaller('person')]
  return { ...maker, readers: { visitor, application, person } }
}

type KindOfCaller = 'visitor' | 'application' | 'person'

const kindOfCaller = (at: number): KindOfCaller => (at % 10 === 9 ? 'visitor' : at % 3 === 0 ? 'person' : 'application')

/** Calls close accounts and delete applications, so that each operation that writes has a caller of its own. */
async function makeCaller(kind: KindOfCaller): Promise<Client> {
  if (kind === 'visitor') return world.visitor
  return world.caller(
    kind === 'person' ? { ...EVERYTHING, user: (await personOf(world, { kind: 'admin' })).id } : EVERYTHING,
  )
}

/** The oldest and the newest records of every resource; calls before have made some and deleted others. */
async function idsThatAreThere(): Promise<KnownIds> {
  const ids = new Map<string, number[]>()
  const parts = registry.resources.flatMap(({ name, table }) =>
    ['asc', 'desc'].map((order) => `(select '${name}', id from "${table}" order by id ${order} limit 8)`),
  )
  for (const [resource, id] of await world.database.rows(parts.join(' union all '))) {
    ids.set(String(resource), [...(ids.get(String(resource)) ?? []), Number(id)])
  }
  return ids
}
