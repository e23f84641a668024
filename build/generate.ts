/**
 * Writes generated files: `npm run generate [-- NAME…] [--check] [--quick]`. Without names it runs every generator. `--check`
 * writes nothing and fails if a file is out of date, by default for the committed files. `--quick` leaves out generators that
 * ask a running service. `--help` lists the generators. Messages go to standard error, since `npm pack --json` runs it, too.
 */
import { parseArgs } from 'node:util'
import { differencesOf, GeneratorError, writeTexts } from './generated-files.ts'
import { type FileGenerator, GENERATORS } from './generators.ts'

const USAGE = 'npm run generate [-- NAME…] [--check] [--quick] [--help]'
const ROOT = process.cwd()

const options = { check: { type: 'boolean' }, quick: { type: 'boolean' }, help: { type: 'boolean' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const unknown = positionals.filter((name) => !Object.hasOwn(GENERATORS, name))
if (values.help) console.log([`Usage: ${USAGE}`, ...Object.entries(GENERATORS).map(described)].join('\n'))
else if (unknown.length > 0) {
  console.error(`There is no generator ${unknown.join(', ')}. Name some of ${Object.keys(GENERATORS).join(', ')}.`)
  process.exitCode = 1
} else {
  for (const [name, generator] of Object.entries(GENERATORS).filter(isWanted))
    if (!(await generate(name, generator))) process.exitCode = 1
}

function isWanted([name, { isCommitted, asksService }]: readonly [string, FileGenerator]): boolean {
  if (positionals.length > 0) return positionals.includes(name)
  if (values.quick && asksService) return false
  return isCommitted || !values.check
}

/** Writes or compares the files of a generator. Returns false if one is out of date or could not be made. */
async function generate(name: string, { make, writes }: FileGenerator): Promise<boolean> {
  try {
    const texts = await make()
    if (texts === undefined) return true
    if (!values.check) {
      const folders = writes.filter((path) => path.endsWith('/'))
      for (const path of await writeTexts(ROOT, texts, folders)) console.error(`Wrote ${path}.`)
      return true
    }
    const differences = await differencesOf(ROOT, texts)
    for (const { path, lines } of differences)
      console.error(`${path} is out of date. Run "npm run generate -- ${name}".\n${lines.join('\n')}`)
    return differences.length === 0
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error
    console.error(error.message)
    return false
  }
}

function described([name, { about, writes, isCommitted, seconds }]: readonly [string, FileGenerator]): string {
  const place = isCommitted ? 'committed' : 'not in git'
  return `  ${name.padEnd(12)}${about}\n${' '.repeat(14)}${writes.join(', ')} (${place}, ${seconds} s)`
}
