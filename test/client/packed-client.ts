import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emptyProject } from '../support/empty-project.ts'
import { copyTree, temporaryFolder } from '../support/folder.ts'
import { installedPackages } from '../support/installed-packages.ts'

/** The folder of the typed client. */
export const CLIENT = fileURLToPath(new URL('../../clients/typescript/', import.meta.url))

const run = promisify(execFile)

/** Files that builds write beside, so each checkout gets a copy. */
const BUILT = [
  ...['LICENSE', 'README.md', 'package.json', 'scripts', 'src', 'tsconfig.json'].map(
    (name) => `clients/typescript/${name}`,
  ),
  ...['LICENSE', 'README.md', 'pyproject.toml', 'scripts', 'src'].map((name) => `clients/python/${name}`),
  'package.json',
]
const READ = ['build', 'engine', 'intranet', 'packages', 'service', 'node_modules', 'clients/typescript/node_modules']

/** A checkout of its own to build and pack the clients in, since several tests do at once. To be removed. */
export async function clientCheckout() {
  const folder = await temporaryFolder()
  const checkout = join(folder.path, 'checkout')
  for (const name of BUILT) await copyTree(name, join(checkout, name))
  for (const name of READ) await symlink(resolve(name), join(checkout, name))
  return { ...folder, path: checkout }
}

/** A project of somebody who has installed the client as `npm pack` makes it. To be removed. */
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
