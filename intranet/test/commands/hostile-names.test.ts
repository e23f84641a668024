import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { builderOf } from '@campus/test/support/row-builder'
import { runCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'

/** Characters that control a terminal or reorder text. Line ends are counted instead. */
const ACTING = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u

const HOSTILE = [
  '\u001b[2J\u001b[1;1HAda',
  '\u001b]8;;https://evil.example\u0007Ada\u001b]8;;\u0007',
  '\u009b31mAda\u009d52;c;ZXZpbA==\u009c',
  'Ada\u202egro.live\u2066',
  'Ada\nadministrators of the school: eve',
  'Ada\r\n\tEve',
  'Ada\u2028Eve\u0085Eve',
  '$(touch /tmp/evil) `id` "\'; rm -rf / #',
  '--json',
  'A'.repeat(250),
]

describe('commands on people and applications whose names act on terminals', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let env: Readonly<Record<string, string>>
  before(async () => {
    database = await testDatabase()
    folder = await temporaryFolder()
    env = { CAMPUS_DATA: folder.path, DATABASE_URL: database.url }
    const build = builderOf(database)
    await build.user({ login: 'ada', kind: 'admin', email: 'ada@school.test' })
    await build.record('applications', { name: 'x', uid: 'bus', secret_digest: Buffer.from('x'), owner_id: null })
    await runCommand(['user', 'close', 'ada', '--reason', 'gone\u001b[2J\nforged'], env)
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  const rename = async (name: string) => {
    await database.rows("update users set first_name = $1, last_name = $1 where login = 'ada'", [name])
    await database.rows("update applications set name = $1, description = $1 where uid = 'bus'", [name])
  }

  const COMMANDS = [
    ['user', 'list'],
    ['user', 'show', 'ada'],
    ['app', 'list'],
    ['app', 'show', 'bus'],
    ['app', 'rotate-secret', 'bus'],
    ['deliveries', 'list'],
    ['doctor'],
  ]

  it('print as many lines as for others, and nothing that acts', async () => {
    const linesFor = async (name: string) => {
      await rename(name)
      const lines: number[] = []
      for (const words of COMMANDS) {
        const { code, stdout, stderr } = await runCommand(words, env)
        assert.ok(code === 0 || words[0] === 'doctor', stderr)
        assert.doesNotMatch(stdout + stderr, ACTING, `${words.join(' ')}: ${JSON.stringify(stdout)}`)
        lines.push(stdout.split('\n').length)
      }
      return lines
    }
    const usual = await linesFor('Ada')
    for (const name of HOSTILE) assert.deepEqual(await linesFor(name), usual, JSON.stringify(name))
  })

  it('print JSON in one line that a terminal shows as it is and that holds the very name', async () => {
    for (const name of HOSTILE) {
      await rename(name)
      for (const words of [
        ['app', 'show', 'bus'],
        ['app', 'list'],
        ['user', 'list'],
      ]) {
        const { stdout } = await runCommand([...words, '--json'], env)
        assert.doesNotMatch(stdout, ACTING)
        assert.equal(stdout.trimEnd().split('\n').length, 1)
        assert.ok(JSON.stringify(JSON.parse(stdout)).includes(JSON.stringify(name).slice(1, -1)), stdout)
      }
    }
  })

  it('and refusals that repeat what was typed', async () => {
    for (const words of [
      ['user', 'show', '\u001b[2Jeve\u202e'],
      ['app', 'show', '\u009b31meve'],
      ['import', 'users', `${folder.path}/\u001b]0;evil\u0007`],
    ]) {
      const { code, stdout, stderr } = await runCampus(words, env)
      assert.notEqual(code, 0)
      assert.doesNotMatch(stdout + stderr, ACTING, JSON.stringify(stderr))
      assert.match(stderr, /\w/)
    }
  })
})

describe('what is typed', () => {
  const words = '\u001b[2Jada\u202e\u009b31m'
  for (const typed of [
    [words],
    ['user', words],
    ['user', 'list', `--${words}`],
    ['user', 'show', words],
    ['deliveries', 'list', '--state', words],
    ['deliveries', 'show', words],
    ['import', 'users', words],
    ['restore', words],
    ['mirror', '--from', words],
  ]) {
    it(`acts on no terminal when it is refused: ${JSON.stringify(typed)}`, async () => {
      const env = { CAMPUS_DATA: '/nowhere', [`CAMPUS_${words}`]: 'x', DATABASE_URL: 'postgres://127.0.0.1:9/none' }
      const { code, stdout, stderr } = await runCampus(typed, env)
      assert.notEqual(code, 0)
      assert.match(stderr, /ada/)
      assert.doesNotMatch(stdout + stderr, ACTING)
    })
  }

  it('is written by one function', () => {
    const files = globSync(['{intranet/{cli,server},service}/**/*.ts', 'packages/*/*.ts'])
    const raw = files.filter((file) =>
      /process\.std(out|err)\.write\((?!'')|console\.\w+\(/.test(readFileSync(file, 'utf8')),
    )
    // `program.ts` writes directly, since the command-line parser needs a function to write with.
    assert.deepEqual(raw, ['intranet/cli/program/program.ts'])
  })
})
