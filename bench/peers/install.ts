import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const PEERS = ['feathers', 'directus']

/** Installs the other servers in the versions that their package.json names, unless that was done before. Throws where npm fails. */
export async function installPeers(log: (text: string) => void): Promise<void> {
  for (const peer of PEERS) {
    const folder = join(FOLDER, peer)
    const wanted = await readFile(join(folder, 'package.json'), 'utf8')
    const note = join(folder, 'node_modules/.installed.json')
    if ((await readFile(note, 'utf8').catch(() => undefined)) === wanted) continue
    log(`installing ${peer}`)
    await installInto(folder)
    await writeFile(note, wanted)
  }
}

/** Packages with native code contain it compiled, so no install script needs to run. */
async function installInto(folder: string): Promise<void> {
  const npm = spawn('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(npm, 'close')
  if (code !== 0) throw new Error(`npm install in ${folder} ended with ${code}`)
}
