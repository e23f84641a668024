import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
      .filter((file) => !file.startsWith('packages/reference/assets/'))
      .map((file) => [file, importsOf(file, withTypes)]),
  )
}

function importsOf(file: string, withTypes: boolean): readonly string[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) [^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)|^import '(\.[^']+)'/gm,
  )
  const loading = [...statements].filter(([statement]) => withTypes || !/^(?:import|export) type\b/.test(statement))
  return loading.map(([, from, loaded, alone]) => join(dirname(file), from ?? loaded ?? alone ?? ''))
}
