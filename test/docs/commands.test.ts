import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { entriesOf } from '@campus/intranet/cli/program/manual'
import { campusProgram } from '@campus/intranet/cli/program/program'
import { PARTS } from '@campus/service/parts'
import type { Command } from 'commander'
import { COMMANDS_FILE, commandsPage } from '../../build/commands-page.ts'
import { manPage } from '../../build/man-page.ts'
import { sourceFiles } from '../support/sources.ts'

let program: Command
before(async () => {
  program = await campusProgram({ env: {}, parts: PARTS })
})

test('the page of commands is what the command line declares', async () => {
  assert.equal(await readFile(COMMANDS_FILE, 'utf8'), await commandsPage(), 'Run "npm run generate -- commands".')
})

test('the manual page names every command with all its options, and nothing in it is taken for a request', () => {
  const lines = manPage(program).split('\n')
  for (const { usage, options } of entriesOf(program)) {
    assert.ok(lines.includes(`.SS "${usage.replaceAll('-', '\\-')}"`), usage)
    for (const { flags } of options) assert.ok(lines.includes(`\\fB${flags.replaceAll('-', '\\-')}\\fR`), flags)
  }
  const requests = new Set(lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ', 1)[0]))
  assert.deepEqual([...requests].sort(), ['.B', '.I', '.PP', '.SH', '.SS', '.TH', '.TP', '.fi', '.nf'])
})

test('every command has --json, but for those that serve or speak to a shell or an assistant', () => {
  const without = entriesOf(program).filter(({ options }) => !options.some(({ flags }) => flags === '--json'))
  assert.deepEqual(
    without.map(({ name }) => name),
    ['campus serve', 'campus mcp', 'campus completion'],
  )
})

test('the lines to paste of the help are commands that there are, with options that these have', () => {
  for (const { name, examples } of entriesOf(program)) {
    const lines = examples.filter((example) => example.startsWith('campus '))
    assert.deepEqual(lines.flatMap(faultsOf), [])
    for (const line of lines) assert.ok(`${line} `.startsWith(`${name} `), line)
  }
})

test('so are those of every page', () => {
  // How processes start each other is described for developers, with options that nobody types.
  const files = globSync(['*.md', 'docs/**/*.md', 'ops/**/*.md'], { exclude: ['CHANGELOG.md', 'docs/architecture.md'] })
  const lines = files.flatMap((file) => commandsIn(readFileSync(file, 'utf8')))
  assert.ok(lines.length > 30, `${lines.length} commands`)
  assert.deepEqual(lines.flatMap(faultsOf), [])
})

/**
 * Finds each `campus …` in code: at the start of a line, or after variables, another command or an account (`sudo -u`).
 */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/```(?:sh|text)\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n'))
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  const found = [...blocks, ...inline].map((line) =>
    /^(?:[A-Z_]+=\S* |.*[|&] |sudo (?:\S+ )*?|docker compose exec campus )*(campus [a-z][a-z-]*(?: .*)?)$/
      .exec(line)
      ?.at(1),
  )
  return found.flatMap((line) => line?.replace(/\s+[#|(…].*$/, '') ?? [])
}

/** Why a line cannot be typed: there is no such command, or it has no such option. */
function faultsOf(line: string): readonly string[] {
  const entry = entriesOf(program)
    .filter(({ name }) => `${line} `.startsWith(`${name} `))
    .sort((one, other) => other.name.length - one.name.length)[0]
  if (!entry) return [`no command: ${line}`]
  const flags = entry.options.flatMap((option) => option.flags.split(/[ ,]/))
  const typed = [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([flag]) => flag)
  return typed.filter((flag) => ![...flags, '--help'].includes(flag)).map((flag) => `no ${flag}: ${line}`)
}

/** Files that declare commands, with lines to paste. */
const DECLARATIONS = /^(intranet\/cli\/program\/|packages\/\w+\/commands?\.ts$)/

test('a sentence that names a command says how it is typed here: by npm in a checkout, by its name where it is installed', () => {
  const names = entriesOf(program).map(({ name }) => name.replace('campus ', ''))
  const missing = new RegExp(
    `^(?! *(?://|/?\\*)).*(?:\\bcampus (?:${names.join('|')})\\b|npm run -s campus -- \\w)`,
    'm',
  )
  const files = sourceFiles().filter((file) => !DECLARATIONS.test(file))
  assert.deepEqual(
    files.filter((file) => missing.test(readFileSync(file, 'utf8'))),
    [],
  )
  assert.match('throw new Error(\'"campus app list" shows them\')', missing)
  assert.doesNotMatch('  /** What `campus app list` gives. */', missing)
})
