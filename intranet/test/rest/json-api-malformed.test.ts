import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { errorsOf, read, write } from '@campus/test/support/json-api'
import fc from 'fast-check'

/** The ordinary suite runs a sample. */
const options = { seed: 42, numRuns: Number(process.env.CAMPUS_TEST_FUZZ_RUNS ?? 300) }

let world: World

before(async () => {
  world = await campus({ seeded: true })
})
after(() => world.close())

/**
 * Checks a response against the rules of JSON:API, which cover errors too. The test client checks it against the
 * OpenAPI document.
 */
function assertAnswered({ status, json, text }: Response): void {
  assert.ok(status < 500, `${status} ${text.slice(0, 300)}`)
  if (json !== undefined) assert.deepEqual(errorsOf(json, { hasFields: true }), [], text.slice(0, 300))
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const odd = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    '',
    '\0',
    '__proto__',
    'constructor',
    '9'.repeat(30),
    ','.repeat(50),
    'a'.repeat(3_000),
    '../..',
    '-1',
  ),
)
const resources = fc.constantFrom(
  'users',
  'locations',
  'campus',
  'teams',
  'scale_teams',
  'tags_users',
  'closes',
  'events',
)
const names = fc.constantFrom(
  ...[
    'user',
    'users',
    'campus',
    'language',
    'login',
    'host',
    'cursus_users',
    'cursus',
    'team',
    'scale_teams',
    'replies',
  ],
  ...['projects_users', 'teams', 'flag', 'corrector', 'correcteds', 'id', 'type', 'data', 'links', 'active?', 'tag'],
)
const path = fc.array(fc.oneof({ weight: 4, arbitrary: names }, odd), { maxLength: 4 }).map((parts) => parts.join('.'))
const parameter = fc.oneof(
  fc.array(path, { maxLength: 3 }).map((paths) => `include=${encode(paths.join(','))}`),
  fc.tuple(fc.oneof(resources, odd), path).map(([type, list]) => `fields[${encode(type)}]=${encode(list)}`),
  fc
    .tuple(fc.constantFrom('filter', 'range', 'search'), fc.oneof(names, odd), odd)
    .map(([kind, name, value]) => `${kind}[${encode(name)}]=${encode(value)}`),
  fc
    .tuple(fc.constantFrom('page[number]', 'page[size]', 'page', 'sort', 'include[]', 'fields', 'x'), odd)
    .map(([name, value]) => `${name}=${encode(value)}`),
)
const query = fc.array(parameter, { maxLength: 3 }).map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`))

test('whatever is asked for is answered, or refused in words', { timeout: 600_000 }, async () => {
  const place = fc.option(fc.oneof(fc.constantFrom('1', '2', 'graph'), odd.map(encode)))
  await fc.assert(
    fc.asyncProperty(resources, place, query, async (resource, below, parameters) => {
      assertAnswered(await read(world.staff, `/v2/${resource}${below === null ? '' : `/${below}`}${parameters}`))
    }),
    options,
  )
})

test('whatever is sent is written, or refused in words', { timeout: 600_000 }, async () => {
  const leaf = fc.oneof(odd, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant('1'))
  const name = fc.oneof({ weight: 4, arbitrary: names }, odd)
  const identifier = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: resources, id: fc.constantFrom('1', '2', '0', 'x') }) },
    leaf,
  )
  const data = fc.oneof(identifier, fc.array(identifier, { maxLength: 2 }))
  const relationship = fc.oneof({ weight: 5, arbitrary: fc.record({ data }) }, leaf)
  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary }, leaf)
  const object = fc.record(
    {
      type: some(resources),
      id: fc.oneof(fc.constantFrom('1', '2'), leaf),
      attributes: some(fc.dictionary(name, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), { maxKeys: 4 })),
      relationships: some(fc.dictionary(name, relationship, { maxKeys: 3 })),
    },
    { requiredKeys: [] },
  )
  const document = fc.oneof(
    { weight: 8, arbitrary: fc.record({ data: object }) },
    fc.record({ data: fc.array(object, { maxLength: 2 }) }),
    leaf,
  )
  const address = fc.oneof(
    resources,
    fc.tuple(resources, fc.constantFrom('1', '2', 'x')).map((parts) => parts.join('/')),
    fc.constantFrom('scale_teams/multiple_create', 'users/1/locations', 'closes/1/unclose'),
  )
  await fc.assert(
    fc.asyncProperty(
      address,
      fc.constantFrom('POST', 'PATCH', 'PUT'),
      document,
      query,
      async (to, method, body, parameters) => {
        // Sets the right type in two thirds of the documents. Otherwise most would fail the first check.
        const { data } = (body ?? {}) as { data?: { type?: unknown } }
        if (data && String(data.type).length % 3 > 0) data.type = to.split('/')[0]
        assertAnswered(await write(world.director, method, `/v2/${to}${parameters}`, body))
      },
    ),
    options,
  )
})
