import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type Wording, wordingOfDocument, wordingOfSource, wordsOf } from './read-words.ts'
import { EXCEPTIONS, WORDS } from './word-list.ts'

const RULES = WORDS.map((word) => ({
  ...word,
  pattern: new RegExp(`(?<![\\p{L}-])(?:${word.not})(?![\\p{L}-])`, 'iu'),
}))

/** Returns a line for each refused word: file, line, the word and its replacement. */
export function findWords(path: string, text: string, exceptions = EXCEPTIONS): readonly string[] {
  const isException = (not: string) => exceptions.some((one) => path.startsWith(one.path) && not.includes(one.word))
  const found = new Set<string>()
  for (const { kind, text: said, line } of wordingOf(path, text)) {
    for (const { pattern, say, not, in: only = kind } of RULES) {
      if (only !== kind || isException(not)) continue
      const [word] = pattern.exec(said) ?? []
      if (word !== undefined)
        found.add(`${path}:${line}: "${word}" in a ${kind}${kind === 'name' ? ` (${said})` : ''}; say: ${say}`)
    }
  }
  return [...found]
}

function* wordingOf(path: string, text: string): Generator<Wording> {
  yield { kind: 'name', text: wordsOf(path.replace(/^.*\//, '').replace(/\..*/, '')), line: 1 }
  if (path.endsWith('.md')) yield* wordingOfDocument(text)
  else yield* wordingOfSource(text)
}

/** Sources and documents by hand. The changelog says what earlier releases were called, and generated files repeat others. */
const FILES = [
  'engine',
  'intranet',
  'packages',
  'service',
  'test',
  'bench',
  'build',
  'clients',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
]
const NOT = /\/migrations\/\d|\/schema\.ts$|^docs\/reference\/|^build\/word-list\.ts$/

if (import.meta.main) {
  const files = execFileSync('git', ['ls-files', ...FILES], { encoding: 'utf8' }).split('\n')
  const found = files
    // Git lists deleted files until the next commit.
    .filter((path) => /\.(?:ts|js|mjs|md)$/.test(path) && !NOT.test(path) && existsSync(path))
    .flatMap((path) => findWords(path, readFileSync(path, 'utf8')))
  for (const line of found) process.stderr.write(`${line}\n`)
  if (found.length > 0) process.exitCode = 1
}
