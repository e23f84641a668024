import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** The bundled command. */
export const BUILT = join(ROOT, 'dist/main.js')
/** Contains only types, so it is not part of the bundle. The client's types are generated after it. */
const TYPES = 'schema.ts'

const SOURCES = ['engine', 'intranet', 'packages', 'service', 'clients/typescript/src']

/** Returns whether the bundle is newer than every source. */
export function isBuilt() {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const isOlder = (path) => statSync(path).mtimeMs < builtAt
  // Node's own recursive reading looks at each file once more.
  const isFolderOlder = (folder) =>
    isOlder(folder) &&
    readdirSync(folder, { withFileTypes: true }).every((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return entry.name === 'test' || isFolderOlder(path)
      return entry.name === TYPES || isOlder(path)
    })
  return (
    ['package-lock.json', 'build/build.ts'].every((path) => isOlder(join(ROOT, path))) &&
    SOURCES.every((path) => isFolderOlder(join(ROOT, path)))
  )
}
