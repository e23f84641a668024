import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Locked = { readonly version: string } & Readonly<Record<string, Record<string, string>>>

/**
 * Lists the runtime dependencies of a package of this repository (`''` is the service), resolved in the lock file as
 * Node resolves them, with the folder, name and version of each.
 */
export async function installedPackages(of: '' | 'clients/typescript') {
  const packages: Record<string, Locked> = JSON.parse(await readFile('package-lock.json', 'utf8')).packages
  const found = new Set<string>()
  const follow = (from: string, name: string) => {
    let folder = from
    while (!packages[join(folder, 'node_modules', name)])
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
    const path = join(folder, 'node_modules', name)
    if (found.has(path)) return
    found.add(path)
    for (const next of needsOf(path)) follow(path, next)
  }
  const needsOf = (path: string) =>
    Object.keys({ ...packages[path]?.dependencies, ...packages[path]?.optionalDependencies })
  for (const name of needsOf(of)) follow(of, name)
  return [...found].map((path) => ({
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: packages[path]?.version,
  }))
}
