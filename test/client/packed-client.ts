import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emptyProject } from '../support/empty-project.ts'
import { temporaryFolder } from '../support/folder.ts'
import { installedPackages } from '../support/installed-packages.ts'

/** The folder of the typed client. */
export const CLIENT = fileURLToPath(new URL('../../client/', import.meta.url))

const run = promisify(execFile)

/** A project of somebody who has installed the client as `npm pack` makes it. To be removed. */
export async function packedClient() {
  const folder = await temporaryFolder()
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: CLIENT })
  const [{ filename }] = JSON.parse(stdout)
  const modules = (await installedPackages('client')).map(({ path }) => path)
  const project = await emptyProject(join(folder.path, filename), modules)
  await folder.remove()
  return project
}
