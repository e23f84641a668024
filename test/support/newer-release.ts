import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyTree, temporaryFolder } from './folder.ts'
import { type Outcome, outcomeOf } from './run-campus.ts'

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
  /** What is written otherwise in its sources: file, former text, text. */
  readonly changes?: readonly (readonly [file: string, former: string, text: string])[]
}

/** A release that comes after this one: its sources, with more in them. */
export async function newerRelease({ version, migrations = {}, changes = [] }: Changed): Promise<Release> {
  const folder = await temporaryFolder()
  const source = join(folder.path, 'src')
  await mkdir(source)
  await copyTree(join(ROOT, 'src'), source)
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  const { version: _, ...others } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ ...others, version }))
  for (const [name, text] of Object.entries(migrations)) {
    await writeFile(join(source, 'resources/migrations', `${name}.ts`), text)
  }
  for (const [file, former, text] of changes) {
    const path = join(source, file)
    const original = await readFile(path, 'utf8')
    if (!original.includes(former)) throw new Error(`${file} has nothing of ${former}`)
    await writeFile(path, original.replace(former, text))
  }
  return {
    run(words, env) {
      const { PATH = '', HOME = '' } = process.env
      return outcomeOf(spawn(process.execPath, [join(source, 'main.ts'), ...words], { env: { PATH, HOME, ...env } }))
    },
    remove: folder.remove,
  }
}
