/** `npm run surface` writes docs/reference/surface.txt; with `--check` it only says whether that is up to date. */
import { readFile, writeFile } from 'node:fs/promises'
import { declaredDocument } from '../src/resources/api-document.ts'
import { surfaceChange, surfaceOf } from './surface.ts'

const FILE = new URL('../docs/reference/surface.txt', import.meta.url)

const declared = surfaceOf(declaredDocument())
const text = await readFile(FILE, 'utf8').catch(() => '')
const changelog = await readFile(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
const { added, unexplained } = surfaceChange(text.split('\n').filter(Boolean), declared, changelog)
if (unexplained.length > 0) {
  console.error(
    `Clients can no longer rely on these; name each in CHANGELOG.md where that is meant:\n${unexplained.join('\n')}`,
  )
  process.exitCode = 1
} else if (!process.argv.includes('--check')) await writeFile(FILE, `${declared.join('\n')}\n`)
else if (`${declared.join('\n')}\n` !== text) {
  console.error(`docs/reference/surface.txt is out of date: run "npm run surface".\n${added.join('\n')}`)
  process.exitCode = 1
}
