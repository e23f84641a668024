import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signerOf, webhookHeaders } from '@campus/intranet/webhooks/delivery-request'
import { NO_CURL } from '../support/curl.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { outcomeOf } from '../support/run-campus.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY = 'Ctrl-C stops it.'

describe('docs/webhooks.md', () => {
  let document: string
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: Awaited<ReturnType<typeof testDatabase>>
  const terminals: ChildProcess[] = []
  before(async () => {
    document = await readFile(join(ROOT, 'docs/webhooks.md'), 'utf8')
    folder = await temporaryFolder()
    database = await testDatabase()
  })
  after(async () => {
    for (const { pid, exitCode } of terminals) if (pid && exitCode === null) process.kill(-pid, 'SIGTERM')
    await Promise.all(terminals.filter(({ exitCode }) => exitCode === null).map(outcomeOf))
    await database.close()
    await folder.remove()
  })

  const blocks = (language: string) =>
    [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text as string)

  /** In a process group of its own, so that what it starts can be stopped with it. */
  function paste(commands: string, env: Readonly<Record<string, string>>) {
    const child = spawn('bash', { cwd: ROOT, env, detached: true })
    child.stdin.end(`set -euo pipefail\n${commands}`)
    return child
  }

  /** Pastes what goes on until it is stopped; gives what it has printed when it is ready, and later. */
  async function open(commands: string, env: Readonly<Record<string, string>>): Promise<() => string> {
    const child = paste(commands, env)
    let printed = ''
    terminals.push(child)
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (data) => {
        printed += data
        if (printed.includes(READY)) resolve()
      })
      outcomeOf(child).then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)))
    })
    return () => printed
  }

  it('is true: whoever pastes it sees the new user arrive', { timeout: 120_000, skip: NO_CURL }, async () => {
    const { PATH = '', HOME = '' } = process.env
    const [CAMPUS_PORT, RECEIVER_PORT] = [String(await freePort()), String(await freePort())]
    const env = {
      PATH,
      HOME,
      CAMPUS_LOG_LEVEL: 'silent',
      CAMPUS_DATA: folder.path,
      CAMPUS_PORT,
      RECEIVER_PORT,
      DATABASE_URL: database.url,
      CAMPUS_PROCESSES: '1',
    }
    const [receiver = '', server = '', commands = '', look = '', ...others] = blocks('sh')
    assert.deepEqual(others, [], 'a block that nothing checks')
    const printed = await open(receiver, env)
    await open(server, env)
    const { code, stderr, stdout } = await outcomeOf(paste(commands, env))
    assert.equal(code, 0, stderr + stdout)
    while (!printed().includes('"last_name"')) await wait(50)
    assert.match(printed(), /POST \/users\/new {2}answered 204/)
    assert.match(printed(), /key +right\n +signature +right/)
    assert.match(printed(), /"password": "\(a password of 21 characters\)"/)
    assert.match(printed(), /"group": 42/)
    for (;;) {
      const { stdout: list } = await outcomeOf(paste(look, env))
      if (/created +abyron +delivered +1 +204/.test(list)) break
      assert.match(list, /created +abyron +pending/)
    }
  })

  it('shows how to verify a signature and how to drop repeats', async () => {
    const path = join(folder.path, 'examples.mjs')
    await writeFile(path, blocks('js').join('\n'))
    const { isGenuine, isNew } = await import(path)
    const [id, at, body] = ['an-id', new Date('2026-03-02T10:00:00Z'), '{"login":"é"}']
    for (const secret of ['hush', `whsec_${Buffer.from('hush').toString('base64')}`]) {
      const headers = webhookHeaders({ id, at, body, signer: signerOf(secret) })
      assert.equal(isGenuine(headers, body, secret, at.getTime()), true)
      assert.equal(isGenuine(headers, `${body} `, secret, at.getTime()), false)
      assert.equal(isGenuine(headers, body, 'another', at.getTime()), false)
      assert.equal(isGenuine(headers, body, secret, at.getTime() + 301_000), false)
      assert.equal(isGenuine({ ...headers, 'webhook-id': 'other' }, body, secret, at.getTime()), false)
    }
    assert.equal(isGenuine({}, body, 'hush', at.getTime()), false)
    assert.equal(isGenuine(webhookHeaders({ id, at, body, signer: null }), body, 'hush', at.getTime()), false)
    assert.deepEqual(
      [isNew({ 'webhook-id': 'a' }), isNew({ 'webhook-id': 'a' }), isNew({ 'webhook-id': 'b' })],
      [true, false, true],
    )
  })
})
