import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { PARTS } from '@campus/service/parts'
import { temporaryFolder } from '@campus/test/support/folder'
import { outcomeOf, startCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'
import type { Command } from 'commander'
import { campusProgram } from '../../cli/program/program.ts'

/** Commands that may create a database. */
const CREATING = ['migrate', 'restore', 'seed', 'serve']
/** Commands that use no database. */
const WITHOUT = ['completion', 'health', 'mcp', 'receiver']

type Leaf = { readonly name: string; readonly command: Command }

const leavesOf = (command: Command, before = ''): readonly Leaf[] =>
  command.commands.flatMap((one) => {
    const name = `${before}${one.name()}`
    return one.commands.length > 0 ? leavesOf(one, `${name} `) : [{ name, command: one }]
  })

/** Exists in the test, so that only the database is missing. */
const FILE = 'people.csv'
const VALUES = ['1', '2026-03-02T10:00:00Z', 'https://school.example']

/** The first of some texts that the option or argument takes. */
function valueFor({ argChoices, parseArg }: Pick<Command['options'][number], 'argChoices' | 'parseArg'>): string {
  if (argChoices) return argChoices[0] as string
  const isTaken = (text: string) => {
    try {
      parseArg?.(text, undefined)
      return true
    } catch {
      return false
    }
  }
  return VALUES.find(isTaken) as string
}

/** A complete command line: every argument, and every option without which the command is refused. */
function wordsOf({ name, command }: Leaf): readonly string[] {
  const options = command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap((option) => [option.long as string, ...(option.required ? [valueFor(option)] : [])])
  const words = command.registeredArguments.map((argument) => (argument.name() === 'file' ? FILE : valueFor(argument)))
  return [...name.split(' '), ...words, ...options]
}

describe('without a database', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let empty: string
  before(async () => {
    folder = await temporaryFolder()
    await writeFile(join(folder.path, FILE), 'login\n')
  })
  after(() => folder.remove())
  beforeEach(async () => {
    empty = join(folder.path, `empty-${Math.random()}`)
    await mkdir(empty)
  })

  let leaves: readonly Leaf[]
  let refusing: readonly Leaf[]
  before(async () => {
    leaves = leavesOf(await campusProgram({ env: {}, parts: PARTS }))
    refusing = leaves.filter(({ name }) => !CREATING.includes(name) && !WITHOUT.includes(name))
  })

  it('has every exception among its commands', () => {
    const names = leaves.map(({ name }) => name)
    assert.deepEqual(
      [...CREATING, ...WITHOUT].filter((name) => !names.includes(name)),
      [],
    )
    assert.ok(refusing.length > 30, String(refusing.length))
  })

  it('every command creates nothing, and names the folder and the settings', async () => {
    for (const leaf of [...refusing, ...leaves.filter(({ name }) => name === 'migrate' || name === 'restore')]) {
      // These two only look, or give up what is there.
      const more = leaf.name === 'migrate' ? ['--plan'] : leaf.name === 'restore' ? ['--give-up'] : []
      const words = leaf.name === 'restore' ? ['restore', ...more] : [...wordsOf(leaf), ...more]
      const line = `campus ${words.join(' ')}`
      const data = join(empty, 'data')
      const typed = words.map((word) => (word === FILE ? join(folder.path, FILE) : word))
      const { code, stdout, stderr } = await runCommand(typed, { CAMPUS_DATA: data }, 'correct horse\n')
      assert.deepEqual(await readdir(empty), [], line)
      assert.equal(code, 1, line)
      const said = leaf.name === 'doctor' ? stdout : stderr
      assert.ok(said.includes(data), `${line}: ${said}`)
      assert.match(said, /CAMPUS_DATA.*DATABASE_URL/, line)
    }
  })

  it('campus user list names the folder that it is run in', async () => {
    const child = startCampus(['user', 'list'], {}, empty)
    const { code, stdout, stderr } = await outcomeOf(child)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.ok(stderr.includes(join(empty, 'data')), stderr)
    assert.deepEqual(await readdir(empty), [])
  })

  it('a folder that a killed process left locked gets no database', async () => {
    const data = join(empty, 'data')
    await mkdir(data, { mode: 0o700 })
    await writeFile(join(data, 'campus.lock'), `{"pid":999999999,"command":"serve"}\n`)
    const { code, stderr } = await runCommand(['user', 'list'], { CAMPUS_DATA: data })
    assert.equal(code, 1)
    assert.match(stderr, /There is no database in/)
    assert.ok(!(await readdir(data)).some((name) => name.startsWith('postgresql')))
  })
})
