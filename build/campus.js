/**
 * The `campus` command of a checkout: runs what `npm run build` has built, which starts in half the time, as long as it is
 * newer than every source; else the sources themselves.
 */
import { readdirSync, statSync } from 'node:fs'
import * as modules from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isTooOld, runOnNewer } from '../bin/newer-node.js'

const FILE = fileURLToPath(import.meta.url)
const ROOT = join(dirname(FILE), '..')
const BUILT = join(ROOT, 'dist/main.js')
/** Types alone, which are not in what is built; those of the client are written after it. */
const TYPES = 'schema.ts'

if (isTooOld) runOnNewer(FILE)
else {
  modules.enableCompileCache(join(ROOT, 'node_modules/.cache/node'))
  await import(isBuilt() ? BUILT : '../service/main.ts')
}

function isBuilt() {
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
    ['engine', 'intranet', 'packages', 'service', 'clients/typescript/src'].every((path) =>
      isFolderOlder(join(ROOT, path)),
    )
  )
}
