import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importGraph } from './support/import-graph.ts'
import { SOURCE_FOLDERS } from './support/sources.ts'

/**
 * The floors of the packages and of the typed client, whose sources some of them use, the lowest first. A folder imports its own
 * floor's neighbours and what lies below.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['clients/typescript', 'engine/base', 'engine/errors.ts', 'engine/validation-errors.ts'],
  ['engine/database', 'engine/http'],
  ['engine/actions.ts', 'engine/rest'],
  ['engine/changes'],
  ['engine/create-api.ts', 'engine/examples', 'engine/index.ts', 'engine/mount-resources.ts'],
  ['intranet/schema.ts'],
  ['intranet/settings'],
  ['intranet/services', 'intranet/webhooks'],
  ['intranet/access'],
  ['intranet/oauth'],
  ['intranet/school'],
  ['intranet/pages'],
  ['intranet/server'],
  ['intranet/cli'],
  ['packages'],
  ['service/main.ts', 'service/part-list.ts', 'service/parts.ts'],
]

/** Folders of the engine and of the product that a newcomer learns by name. */
const MAX_ROOMS = 14

/** The order within the engine, the lowest first; what is not named here lies where its imports put it. */
const ORDER_OF_REST = [
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

/** Which files import which, types included, without tests. */
const imports = new Map(
  [...importGraph([...SOURCE_FOLDERS, 'clients/typescript/src'])].filter(([file]) => !file.includes('/test/')),
)

const rootOf = (file: string) => file.split('/', 1)[0] as string
/** A folder of the engine, of the product or of clients, and all optional parts together. */
const unitOf = (file: string) => (rootOf(file) === 'packages' ? 'packages' : file.split('/', 2).join('/'))

const floorOf = (file: string) => FLOORS.findIndex((units) => units.includes(unitOf(file)))

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
    const rooms = new Set(
      [...imports.keys()].map(unitOf).filter((unit) => /^(?:engine|intranet)\/(?!examples)[\w-]+$/.test(unit)),
    )
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
    const levelOf = (file: string) =>
      unitOf(file) === 'engine/rest' ? ORDER_OF_REST.indexOf(file.split('/')[2] ?? '') : -1
    assert.deepEqual(
      refused((from, to) => levelOf(from) !== -1 && levelOf(to) > levelOf(from)),
      [],
    )
  })

  it('of the engine lead to files of the engine only', () => {
    const isOfEngine = (file: string) => rootOf(file) === 'engine'
    assert.deepEqual(
      arrows.filter(([from, to]) => isOfEngine(from) && !isOfEngine(to)),
      [],
    )
  })

  it('of its tests lead to the engine and to support that knows nothing else', () => {
    const graph = importGraph([...SOURCE_FOLDERS, 'test/support'])
    const reached = new Set([...graph.keys()].filter((file) => file.startsWith('engine/')))
    assert.ok(reached.size > 30)
    for (const file of reached) for (const target of graph.get(file) ?? []) reached.add(target)
    const isAllowed = (file: string) => /^(engine|test\/support)\//.test(file)
    assert.deepEqual(
      [...reached].filter((file) => !isAllowed(file)),
      [],
    )
  })

  it('of the domain name no request', () => {
    assert.deepEqual(
      refused(
        (from, to) => from.startsWith('intranet/school/domain/') && ['engine/http', 'engine/rest'].includes(unitOf(to)),
      ),
      [],
    )
  })

  it('reach the optional parts by their list alone', () => {
    assert.deepEqual(
      refused((from, to) => unitOf(to) === 'packages' && !['packages', 'service/part-list.ts'].includes(unitOf(from))),
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

/** The folders that hold a file, from the repository down; `''` is that itself. */
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
