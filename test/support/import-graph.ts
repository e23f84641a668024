import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folders of the packages of this repository, by the names under which others import them. */
const PACKAGES = new Map<string, string>(
  globSync('{engine,intranet,packages/*,service,test}/package.json').map((file) => [
    JSON.parse(readFileSync(file, 'utf8')).name,
    dirname(file),
  ]),
)

/**
 * Returns the imports of each file below these folders, dynamic imports included. Paths are relative to the repository.
 * `withTypes` includes statements that import or export types only.
 */
export function importGraph(
  folders: readonly string[],
  { withTypes = true } = {},
): ReadonlyMap<string, readonly string[]> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`))
  return new Map(
    files
      .filter((file) => !/\/node_modules\/|^packages\/reference\/assets\//.test(file))
      .map((file) => [file, importsOf(file, withTypes)]),
  )
}

function importsOf(file: string, withTypes: boolean): readonly string[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) [^'"]*?from '((?:\.|@campus\/)[^']+)'|\bimport\('((?:\.|@campus\/)[^']+)'\)|^import '((?:\.|@campus\/)[^']+)'/gm,
  )
  const loading = [...statements].filter(([statement]) => withTypes || !/^(?:import|export) type\b/.test(statement))
  return loading.map(([, from, loaded, alone]) => fileOf(from ?? loaded ?? alone ?? '', dirname(file)))
}

/** Resolves a specifier, relative or of a package of the repository, to a file. */
function fileOf(specifier: string, folder: string): string {
  const [, name = '', path] = /^(@campus\/[\w-]+)\/(.+)$/.exec(specifier) ?? []
  return path === undefined ? join(folder, specifier) : join(PACKAGES.get(name) ?? name, `${path}.ts`)
}
