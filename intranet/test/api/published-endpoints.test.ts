import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { routeTable } from '@campus/engine/rest/route-table'
import { attempt, attemptSignOn } from '@campus/test/support/attempts'
import { campus, type World } from '@campus/test/support/campus'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { OAUTH_ROUTES } from '../../oauth/routes.ts'
import { declaredRegistry } from '../../school/resources/declared.ts'

/** A method and a path as the published API lists them: `GET /v2/campus/:campus_id/locations`. */
type Pair = `${string} ${string}`

const PAIRS: readonly Pair[] = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/endpoints.json', import.meta.url), 'utf8'),
)

const registry = declaredRegistry()
const table = routeTable(registry)
/** Two routes may name the same parameter differently. */
const shapeOf = (method: string, path: string) => `${method} ${path.replace(/:\w+|\{\w+\}/g, ':parameter')}`
const routed = new Map(table.map((route) => [shapeOf(route.method, route.path), route]))
const routedSignOn = new Set(OAUTH_ROUTES.map(({ method, path }) => shapeOf(method, path)))

/** Segments of paths that name no resource. */
const WORDS = new Set([
  ...['v2', 'oauth', 'token', 'info', 'me', 'staff', 'graph', 'on', 'by', 'as_corrector', 'as_corrected'],
  ...['multiple_create', 'exam', 'registration', 'close', 'unclose', 'validate', 'invalidate'],
])
/** Resources of pages whose path names another resource. */
const ALSO_ABOUT: Readonly<Record<string, string>> = { exam: 'exams', registration: 'project_sessions' }
/** Why a pair cannot be tried yet, if it cannot. */
function reasonToSkip(pair: Pair): string | undefined {
  const [, path = ''] = pair.split(' ')
  const resources = path.split('/').flatMap((word) => {
    if (word === '' || word.startsWith(':')) return []
    return WORDS.has(word) ? (ALSO_ABOUT[word] ?? []) : word
  })
  const missing = resources.find((resource) => !registry.resources.some(({ name }) => name === resource))
  return missing && `SKIPPED: the resource ${missing} is not declared yet`
}

it('the published API lists 234 endpoints, each form of a graph counted', () => {
  assert.equal(PAIRS.length, 234)
  assert.equal(new Set(PAIRS).size, 234)
})

describe('every endpoint of the published API is there, described, and answers:', () => {
  let world: World
  let described: Set<string> | undefined
  let factory: RecordFactory

  before(async () => {
    world = await campus({ seeded: true })
    const { status, json } = await world.visitor.get('/v2/openapi.json')
    if (status === 200) described = new Set(operationsOf(json.paths))
    factory = await createRecordFactory(world, registry)
  })
  after(() => world.close())

  for (const pair of PAIRS) {
    it(pair, { skip: reasonToSkip(pair) ?? false }, async () => {
      const [method, path] = pair.split(' ') as [string, string]
      const shape = shapeOf(method, path)
      const route = routed.get(shape)
      assert.ok(route || routedSignOn.has(shape), 'it is not routed')
      if (described) assert.ok(described.has(shape), 'it is not in /v2/openapi.json')
      await (route ? attempt({ factory, path, route }) : attemptSignOn(world, method, path))
    })
  }
})

const operationsOf = (paths: Readonly<Record<string, object>>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => shapeOf(method.toUpperCase(), path)),
  )
