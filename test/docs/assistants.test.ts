import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { campusProgram } from '@campus/intranet/cli/program/program'
import { PARTS } from '@campus/service/parts'
import { campus, type World } from '../support/campus.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { outcomeOf } from '../support/run-campus.ts'
import { commandsUnder, shellIn, type Type } from './typing.ts'

const PAGE = 'assistants.md'

/** The commands of the page are typed into a shell as they stand there, with another address and another application. */
describe('docs/assistants.md, followed to the letter', () => {
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let type: Type
  let env: Readonly<Record<string, string>>
  before(async () => {
    const database = await testDatabase()
    world = await campus({ on: database })
    folder = await temporaryFolder()
    type = await shellIn(join(folder.path, 'shell'))
    env = { DATABASE_URL: database.url, CAMPUS_DATA: world.config.data, CAMPUS_BASE_URL: world.url }
  })
  after(async () => {
    await world.close()
    await folder.remove()
  })

  it('By address: an application without a secret, whose people may come back to this machine', async () => {
    const [register = '', ...more] = await commandsUnder(PAGE, 'By address')
    assert.deepEqual(more, [])
    const { code, stdout, stderr } = await outcomeOf(type(register, env))
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /It has no secret/)
    const [row] = await world.database.rows(
      "select scopes, redirect_uris from applications where name = 'Desktop assistants'",
    )
    assert.deepEqual(row, ['{public,projects,act}', '{http://127.0.0.1/callback,http://localhost/callback}'])
  })

  it('By standard input and output: an application that renews its tokens itself', async () => {
    const [register = '', connect = '', ...more] = await commandsUnder(PAGE, 'By standard input and output')
    assert.deepEqual(more, [])
    const made = await outcomeOf(type(register, env))
    assert.equal(made.code, 0, made.stderr)
    const { uid, secret } = JSON.parse(made.stdout)
    await writeFile(join(folder.path, 'shell', 'secret.txt'), secret)
    const line = connect.replaceAll('https://intranet.example.org', world.url).replaceAll('UID', uid)
    assert.deepEqual(await outcomeOf(type(line, env)), { code: 0, signal: null, stdout: '', stderr: '' })
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const { stdout } = await outcomeOf(type(`echo '${ping}' | ${line.replace('< /dev/null', '')}`, env))
    assert.deepEqual(JSON.parse(stdout), { jsonrpc: '2.0', id: 1, result: {} })
  })

  it('shows a configuration of words that the command has', async () => {
    const text = await readFile(new URL(`../../docs/${PAGE}`, import.meta.url), 'utf8')
    const { mcpServers } = JSON.parse(/```json\n(.*?)```/s.exec(text)?.[1] ?? '')
    const [name, ...words] = mcpServers.campus.args
    const command = (await campusProgram({ env: {}, parts: PARTS })).commands.find((one) => one.name() === name)
    for (const word of words.filter((one: string) => one.startsWith('--')))
      assert.ok(
        command?.options.some(({ long }) => long === word),
        word,
      )
  })
})
