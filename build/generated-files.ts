import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Path relative to the root of the checkout → content. */
export type Texts = Readonly<Record<string, string>>

/** An error of what is declared, whose message says what to do. */
export class GeneratorError extends Error {}

/** Differences between files on disk and their generated content. */
export type Difference = { readonly path: string; readonly lines: readonly string[] }

/** Maximum number of lines shown per difference. */
const MAX_LINES = 10

/**
 * Writes the files that differ and returns their paths. Each is replaced at once, so that a running process
 * never reads half of a file. `folders` hold generated files only: others in them are removed.
 */
export async function writeTexts(root: string, texts: Texts, folders: readonly string[] = []): Promise<string[]> {
  const written: string[] = []
  for (const [path, text] of Object.entries(texts)) {
    const file = join(root, path)
    if ((await contentOf(file)) === text) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
    written.push(path)
  }
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder)).catch(() => []))
      if (!(join(folder, name) in texts)) await rm(join(root, folder, name), { recursive: true })
  }
  return written
}

/** Compares files with their generated content. A missing file counts as an empty one. */
export async function differencesOf(root: string, texts: Texts): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const [path, text] of Object.entries(texts)) {
    const present = (await contentOf(join(root, path))) ?? ''
    if (present !== text) differences.push({ path, lines: differingLines(present, text) })
  }
  return differences
}

const contentOf = (file: string) => readFile(file, 'utf8').catch(() => undefined)

/** Lines that only one of the texts has, marked `-` or `+`. Reordered lines are not shown. */
function differingLines(present: string, wanted: string): readonly string[] {
  const [former, next] = [present.split('\n'), wanted.split('\n')]
  const [inFormer, inNext] = [new Set(former), new Set(next)]
  const lines = [
    ...former.filter((line) => !inNext.has(line)).map((line) => `- ${line}`),
    ...next.filter((line) => !inFormer.has(line)).map((line) => `+ ${line}`),
  ]
  const more = lines.length - MAX_LINES
  return more > 0 ? [...lines.slice(0, MAX_LINES), `… and ${more} more lines`] : lines
}
