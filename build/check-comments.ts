import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { commentsOf } from './read-words.ts'

/** Beginnings that hide the subject of a comment. `CONTRIBUTING.md` gives the rule. */
const BEGINNINGS =
  /^(?:(?:by|with|from|to|in|on|for) wh(?:ich|om)|of|that|those|wh(?:at|ere|o|om|ose)(?:ever)?|as|ours|theirs|none|nobody)(?![\p{L}'’])/iu

/** Returns a line for each comment of a source that begins without its subject: file, line and beginning. */
export const findBeginnings = (path: string, source: string): readonly string[] =>
  [...commentsOf(source)].flatMap(({ text, line }) => {
    const [beginning] = BEGINNINGS.exec(text) ?? []
    return beginning === undefined
      ? []
      : [`${path}:${line}: A comment begins with "${beginning}". Begin with its subject or with a verb.`]
  })

/** Generated sources repeat comments of others. */
const GENERATED = /\/schema\.ts$/
const FOLDERS = ['engine', 'intranet', 'packages', 'service', 'test', 'bench', 'build', 'clients']

if (import.meta.main) {
  const paths = execFileSync('git', ['ls-files', ...FOLDERS], { encoding: 'utf8' }).split('\n')
  const found = paths
    // Git lists a deleted file until the next commit.
    .filter((path) => /\.(?:ts|js|mjs)$/.test(path) && !GENERATED.test(path) && existsSync(path))
    .flatMap((path) => findBeginnings(path, readFileSync(path, 'utf8')))
  for (const line of found) process.stderr.write(`${line}\n`)
  if (found.length > 0) process.exitCode = 1
}
