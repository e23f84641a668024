import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The last release that has a commit on record, in docs/releases.md. */
export const [, FORMER_VERSION = '', FORMER_COMMIT = ''] =
  /^\| (\S+) \| `(\w+)`/m.exec(readFileSync(join(ROOT, 'docs/releases.md'), 'utf8')) ?? []

/** Why tests of it are skipped: a checkout may be without its history. */
export const NO_FORMER_RELEASE = isThere() ? false : `SKIPPED: this checkout has no commit ${FORMER_COMMIT}`

function isThere(): boolean {
  try {
    return (
      execFileSync('git', ['-C', ROOT, 'cat-file', '-t', FORMER_COMMIT], { stdio: 'pipe' }).toString() === 'commit\n'
    )
  } catch {
    return false
  }
}

/** The sources of the former release, with the packages of this one. */
export async function formerRelease() {
  const folder = await temporaryFolder()
  const at = join(folder.path, 'former')
  await mkdir(at)
  const archive = join(folder.path, 'former.tar')
  execFileSync('git', ['-C', ROOT, 'archive', '-o', archive, FORMER_COMMIT, 'src', 'client/src', 'package.json'])
  execFileSync('tar', ['-xf', archive, '-C', at])
  await symlink(join(ROOT, 'node_modules'), join(at, 'node_modules'))
  await writeFile(join(at, 'README.md'), '')
  return {
    /** Starts its `campus`. */
    start(words: readonly string[], env: Readonly<Record<string, string>>) {
      const { PATH = '', HOME = '' } = process.env
      return spawn(process.execPath, [join(at, 'src/main.ts'), ...words], { env: { PATH, HOME, ...env } })
    },
    remove: folder.remove,
  }
}
