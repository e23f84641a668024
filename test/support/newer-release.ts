import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyTree, temporaryFolder } from './folder.ts'
import { linkModules } from './link-modules.ts'
import { type Outcome, outcomeOf } from './run-campus.ts'
import { SOURCE_FOLDERS } from './sources.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Release = {
  /** Runs its `campus` to its end. */
  run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome>
  remove(): Promise<void>
}

type Changed = {
  readonly version: string
  /** Migrations beside those of this release: the text of each file by its name. */
  readonly migrations?: Readonly<Record<string, string>>
  /** Replacements in the sources: file, former text, new text. */
  readonly changes?: readonly (readonly [file: string, former: string, text: string])[]
}

/** A release that comes after this one: its sources, with more in them. */
export async function newerRelease({ version, migrations = {}, changes = [] }: Changed): Promise<Release> {
  const folder = await temporaryFolder()
  for (const name of [...SOURCE_FOLDERS, 'clients/typescript/src'])
    await copyTree(join(ROOT, name), join(folder.path, name))
  await linkModules(folder.path)
  const { version: _, ...others } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ ...others, version }))
  for (const [name, text] of Object.entries(migrations)) {
    await writeFile(join(folder.path, 'intranet/school/migrations', `${name}.ts`), text)
  }
  for (const [file, former, text] of changes) {
    const path = join(folder.path, file)
    const original = await readFile(path, 'utf8')
    if (!original.includes(former)) throw new Error(`${file} has nothing of ${former}`)
    await writeFile(path, original.replace(former, text))
  }
  return {
    run(words, env) {
      const { PATH = '', HOME = '' } = process.env
      return outcomeOf(
        spawn(process.execPath, [join(folder.path, 'service/main.ts'), ...words], { env: { PATH, HOME, ...env } }),
      )
    },
    remove: folder.remove,
  }
}
