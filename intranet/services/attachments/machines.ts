import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '@campus/engine/base/private-files'
import { machineName } from '@campus/engine/base/process-name'
import { findMachines } from '@campus/engine/database/former-clients'
import type { Handle } from '@campus/engine/database/handle'

/** In the folder of the files: a file of the name of each machine that uses it. */
const FOLDER = 'machines'

/** Says in a folder of files that this machine uses it. */
export async function markMachine(files: string): Promise<void> {
  await makePrivateFolder(join(files, FOLDER))
  await writeFile(join(files, FOLDER, machineName()), '', { mode: 0o600 })
}

/** The machines whose processes use the database and not this folder: files that are stored here are not found there. */
export async function machinesWithout(files: string, database: Pick<Handle, 'rows'>): Promise<readonly string[]> {
  const here = new Set([machineName(), ...(await readdir(join(files, FOLDER)).catch(() => []))])
  return (await findMachines(database)).filter((name) => !here.has(name))
}
