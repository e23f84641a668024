import { existsSync, globSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** Scope of the packages of this repository. */
const SCOPE = '@campus'

/**
 * Creates `node_modules` in a copied checkout. Links installed packages to this checkout, and packages of the repository to the
 * copies.
 */
export async function linkModules(checkout: string): Promise<void> {
  const modules = join(checkout, 'node_modules')
  await mkdir(join(modules, SCOPE), { recursive: true })
  for (const name of await readdir('node_modules'))
    if (name !== SCOPE && name !== '.cache') await symlink(resolve('node_modules', name), join(modules, name))
  for (const folder of globSync('{engine,intranet,packages/*,service,test}')) {
    const copy = join(checkout, folder)
    if (existsSync(copy)) await symlink(copy, join(modules, SCOPE, basename(folder)))
  }
}
