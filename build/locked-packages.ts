import { readFile } from 'node:fs/promises'

type Locked = { readonly version?: string; readonly dev?: true; readonly devOptional?: true; readonly link?: true }

/**
 * Lists the folder and version of each package that the service needs at run time, from the lock file. `npm --omit dev`
 * would leave out packages that a development dependency also uses.
 */
export async function lockedPackages(
  lockFile: string,
): Promise<readonly { readonly path: string; readonly name: string; readonly version: string }[]> {
  const lock: { packages: Record<string, Locked> } = JSON.parse(await readFile(lockFile, 'utf8'))
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link)
    .map(([path, { version = '' }]) => ({ path, name: path.split('node_modules/').at(-1) as string, version }))
}
