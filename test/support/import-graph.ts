import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Which files below these folders import which, types and what is loaded later included; paths are relative to the repository. */
export function importGraph(folders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`))
  return new Map(
    files.filter((file) => !file.startsWith('src/pages/reference/assets/')).map((file) => [file, importsOf(file)]),
  )
}

function importsOf(file: string): readonly string[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) [^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)|^import '(\.[^']+)'/gm,
  )
  return [...statements].map(([, from, loaded, alone]) => join(dirname(file), from ?? loaded ?? alone ?? ''))
}
