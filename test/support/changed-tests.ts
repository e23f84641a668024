import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { importGraph } from './import-graph.ts'
import { SOURCE_FOLDERS } from './sources.ts'

/** Modules that import the whole service. Their importers are skipped unless the module itself changed, since nearly all tests import them. */
const HUBS = [
  'intranet/server/app/app.ts',
  'intranet/school/resources/index.ts',
  'intranet/pages/index.ts',
  'intranet/cli/program/program.ts',
  'service/part-list.ts',
]

/**
 * Returns the test files that import a changed file, directly or not, and those in the mirrored folders. Ignores imports of
 * types.
 */
export function testsReachedBy(changed: readonly string[]): readonly string[] {
  const importers = new Map<string, string[]>()
  const graph = importGraph([...SOURCE_FOLDERS, 'test', 'clients', 'build', 'bench'], { withTypes: false })
  for (const [file, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  const reached = new Set(changed)
  for (const file of reached)
    if (!HUBS.includes(file) || changed.includes(file))
      for (const importer of importers.get(file) ?? []) reached.add(importer)
  const tests = [...graph.keys()].filter((file) => file.endsWith('.test.ts'))
  const folders = new Set(tests.map((file) => dirname(file)))
  const mirrored = new Set(changed.flatMap((file) => mirrorsOf(file, folders)))
  return tests.filter((file) => reached.has(file) || mirrored.has(dirname(file))).sort()
}

/**
 * The folders of tests that mirror a source's, or the nearest ones above: those of its package, and for the engine those of the
 * product, too.
 */
function mirrorsOf(file: string, folders: ReadonlySet<string>): readonly string[] {
  const [, root] = /^(engine|intranet|packages\/[\w-]+)\/(?!test\/)/.exec(file) ?? []
  if (root === undefined) return []
  const below = dirname(file).slice(root.length)
  return (root === 'engine' ? ['engine/test', 'intranet/test'] : [`${root}/test`]).map((tests) =>
    mirrorIn(tests, tests + below, folders),
  )
}

function mirrorIn(tests: string, mirror: string, folders: ReadonlySet<string>): string {
  let folder = mirror
  while (folder !== tests && !folders.has(folder)) folder = dirname(folder)
  return folder
}

/** The files that differ from the last commit, new ones included. */
export const changedFiles = (): readonly string[] =>
  execFileSync('git', ['status', '--porcelain', '--untracked-files=all', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.slice(3))
