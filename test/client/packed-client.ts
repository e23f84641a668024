import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emptyProject } from '../support/empty-project.ts'
import { copyTree, temporaryFolder } from '../support/folder.ts'
import { installedPackages } from '../support/installed-packages.ts'

/** Folder of the TypeScript client. */
export const CLIENT = fileURLToPath(new URL('../../clients/typescript/', import.meta.url))

const run = promisify(execFile)

/** Files and folders that a checkout copies, since builds write into them. The others are linked. */
const BUILT = [
  ...['LICENSE', 'README.md', 'package.json', 'scripts', 'src', 'tsconfig.json'].map(
    (name) => `clients/typescript/${name}`,
  ),
  ...['LICENSE', 'README.md', 'pyproject.toml', 'scripts', 'src'].map((name) => `clients/python/${name}`),
  'package.json',
]
const READ = ['build', 'engine', 'intranet', 'packages', 'service', 'node_modules', 'clients/typescript/node_modules']

/**
 * Creates a separate checkout to build and pack the clients in, since tests do so concurrently. Remove it after use.
 */
export async function clientCheckout() {
  const folder = await temporaryFolder()
  const checkout = join(folder.path, 'checkout')
  for (const name of BUILT) await copyTree(name, join(checkout, name))
  for (const name of READ) await symlink(resolve(name), join(checkout, name))
  return { ...folder, path: checkout }
}

/** Creates a project that has installed the packed client. Remove it after use. */
export async function packedClient() {
  const checkout = await clientCheckout()
  const packed = join(checkout.path, 'packed')
  await mkdir(packed)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', packed], {
    cwd: join(checkout.path, 'clients/typescript'),
  })
  const [{ filename }] = JSON.parse(stdout)
  const modules = (await installedPackages('clients/typescript')).map(({ path }) => path)
  const project = await emptyProject(join(packed, filename), modules)
  await checkout.remove()
  return project
}
