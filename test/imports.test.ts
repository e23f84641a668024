import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importGraph } from './support/import-graph.ts'

/**
 * The floors of `src/` and of the typed client, of which the service uses parts, the lowest first. A folder imports its own floor's neighbours and what lies below. A file beside
 * the folders that is not named here is of the lowest floor: it knows nothing of the rest.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['base', 'client'],
  ['database', 'http'],
  ['actions.ts', 'rest'],
  ['changes'],
  ['create-api.ts', 'mount-resources.ts'],
  ['settings'],
  ['services', 'webhooks'],
  ['domain', 'oauth'],
  ['pages', 'resources'],
  ['commands'],
  ['packages'],
  ['main.ts', 'part-list.ts', 'parts.ts'],
]

/** Folders of `src/` that a newcomer learns by name. */
const MAX_ROOMS = 14

/** The engine: what turns declarations into an API, of whatever they declare. */
const ENGINE_UNITS = [
  ...['base', 'http', 'database', 'rest', 'changes'],
  ...['actions.ts', 'create-api.ts', 'errors.ts', 'mount-resources.ts', 'validation-errors.ts'],
]

/** The order within the engine, the lowest first; what is not named here lies where its imports put it. */
const ENGINE = [
  'declare',
  'represent',
  'engine.ts',
  'read',
  'write',
  'route-table.ts',
  'cache',
  'json-api',
  'routes.ts',
]

type Arrow = `${string} -> ${string}`

/** Arrows that a rule refuses and that are there, each with its reason: of folders, or of files. */
const EXCEPTIONS: Readonly<Record<Arrow, string>> = {}

/** Which files import which, types included, by their paths below `src/` or from `client/`. */
const imports = new Map(
  [...importGraph(['src', 'clients/typescript/src'])].map(
    ([file, targets]) => [inSource(file), targets.map(inSource)] as const,
  ),
)

function inSource(file: string): string {
  return file.replace(/^src\//, '')
}

const unitOf = (file: string) => file.split('/', 1)[0] as string

const floorOf = (file: string) => {
  const floor = FLOORS.findIndex((units) => units.includes(unitOf(file)))
  return floor === -1 && !file.includes('/') ? 0 : floor
}

const arrows = [...imports].flatMap(([from, targets]) => targets.map((to) => [from, to] as const))

/** The arrows that a rule refuses, without the exceptions. */
const refused = (rule: (from: string, to: string) => boolean) =>
  arrows.filter(([from, to]) => rule(from, to) && !isException(from, to)).map(([from, to]) => `${from} -> ${to}`)

const isException = (from: string, to: string) =>
  `${from} -> ${to}` in EXCEPTIONS || `${unitOf(from)} -> ${to}` in EXCEPTIONS

describe('imports', () => {
  it('are seen, and lead to files', () => {
    assert.ok(arrows.length > 2000, `${arrows.length} imports`)
    assert.deepEqual(
      arrows.filter(([, to]) => to.endsWith('.ts') && !imports.has(to)),
      [],
    )
  })

  it('belong to a floor, every file', () => {
    assert.deepEqual(
      [...imports.keys()].filter((file) => floorOf(file) === -1),
      [],
    )
  })

  it('join at most fourteen rooms', () => {
    const rooms = new Set([...imports.keys()].filter((file) => file.includes('/')).map(unitOf))
    rooms.delete('client')
    assert.ok(rooms.size <= MAX_ROOMS, [...rooms].join(' '))
  })

  it('go down', () => {
    assert.deepEqual(
      refused((from, to) => floorOf(to) > floorOf(from)),
      [],
    )
  })

  it('make no circle of files, nor do types', () => {
    const allowed = new Map(
      [...imports].map(([from, targets]) => [from, targets.filter((to) => !isException(from, to))]),
    )
    assert.deepEqual(circlesOf(allowed), [])
  })

  it('make no circle of folders, nor of folders within folders', () => {
    const parents = new Set([...imports.keys()].flatMap(foldersOf))
    assert.deepEqual(
      [...parents].flatMap((parent) => circlesOf(unitsIn(parent))),
      [],
    )
  })

  it('go down within the engine', () => {
    const levelOf = (file: string) => (unitOf(file) === 'rest' ? ENGINE.indexOf(file.split('/')[1] ?? '') : -1)
    assert.deepEqual(
      refused((from, to) => levelOf(from) !== -1 && levelOf(to) > levelOf(from)),
      [],
    )
  })

  it('of the engine lead to files of the engine only', () => {
    const isOfEngine = (file: string) => ENGINE_UNITS.includes(unitOf(file))
    assert.deepEqual(
      arrows.filter(([from, to]) => isOfEngine(from) && !isOfEngine(to)),
      [],
    )
  })

  it('of the domain name no request', () => {
    assert.deepEqual(
      refused((from, to) => unitOf(from) === 'domain' && ['http', 'rest'].includes(unitOf(to))),
      [],
    )
  })

  it('reach the optional parts by their list alone', () => {
    assert.deepEqual(
      refused((from, to) => unitOf(to) === 'packages' && !['packages', 'part-list.ts'].includes(unitOf(from))),
      [],
    )
  })

  it('have no exception that is not needed', () => {
    const seen = new Set(arrows.flatMap(([from, to]) => [`${from} -> ${to}`, `${unitOf(from)} -> ${to}`]))
    assert.deepEqual(
      Object.keys(EXCEPTIONS).filter((arrow) => !seen.has(arrow)),
      [],
    )
  })
})

/** The folders that hold a file, from `src/` down; `''` is that itself. */
const foldersOf = (file: string) => file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))

/** Which folders and files directly in a folder import which others there. */
function unitsIn(parent: string): ReadonlyMap<string, readonly string[]> {
  const depth = parent === '' ? 0 : parent.split('/').length
  const unitIn = (file: string) => (foldersOf(file).includes(parent) ? file.split('/')[depth] : undefined)
  const units = new Map<string, string[]>()
  for (const [from, to] of arrows) {
    const [own, other] = [unitIn(from), unitIn(to)]
    if (own === undefined || other === undefined || own === other || isException(from, to)) continue
    units.set(own, [...(units.get(own) ?? []), other])
  }
  return units
}

/** A way round for each group of nodes that lead back to themselves. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node)
    if (at !== -1) circles.push([...path.slice(at), node].join(' -> '))
    if (at !== -1 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}
