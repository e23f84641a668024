import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '@campus/engine/base/private-files'
import { machineName } from '@campus/engine/base/process-name'
import { findMachines } from '@campus/engine/database/former-clients'
import type { Handle } from '@campus/engine/database/handle'

/** Subfolder of the files, with a file named after each machine that uses it. */
const FOLDER = 'machines'

/** Records in the files' folder that this machine uses it. */
export async function markMachine(files: string): Promise<void> {
  await makePrivateFolder(join(files, FOLDER))
  await writeFile(join(files, FOLDER, machineName()), '', { mode: 0o600 })
}

/** Returns machines whose processes use the database but not this folder. They cannot serve its files. */
export async function machinesWithout(files: string, database: Pick<Handle, 'rows'>): Promise<readonly string[]> {
  const here = new Set([machineName(), ...(await readdir(join(files, FOLDER)).catch(() => []))])
  return (await findMachines(database)).filter((name) => !here.has(name))
}
