import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { everythingStored } from '../support/database-contents.ts'
import { filesWith } from '../support/files-with.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Behaviour, type Receiver, receiver } from '../support/receiver.ts'
import { runCampus } from '../support/run-campus.ts'
import { runCommand } from '../support/run-command.ts'
import { type Campus, emptyCampus, kill, type ServerProcess } from './server-process.ts'

/** Secrets to search for, as text, base64 and hexadecimal digits. */
const [PASSWORD, META, SECRET] = ['zK7-pAsSwOrD-q', 'zK7-mEtA-vAlUe-q', 'zK7-wEbSeCrEt-q']
const FORMS = [PASSWORD, META, SECRET].flatMap((text) => [
  ...[text, Buffer.from(text).toString('hex'), encodeURIComponent(text)],
  // In base64 it looks one of three ways, by where it begins; a piece from the middle is enough.
  ...[0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + text)
      .toString('base64')
      .slice(4, -4),
  ),
])

const holds = (text: string) => FORMS.some((form) => text.includes(form))

/** Repeats what it got, as careless webservices do; answers about each user have their status, 500 at first. */
const repeating =
  (statuses: Readonly<Record<string, number>>): Behaviour =>
  (response, { text, body }) =>
    response.writeHead(statuses[body.login] ?? 500).end(`I got ${text}, ${Buffer.from(text).toString('base64')}`)

describe('a password, a meta and a secret of a webservice', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let service: Receiver
  let campus: Campus
  let server: ServerProcess
  let client: Client
  let campusId = 0
  let output = ''
  const answers: string[] = []

  before(async () => {
    folder = await temporaryFolder()
    service = await receiver()
    const ca = join(folder.path, 'ca.pem')
    await writeFile(ca, service.ca)
    campus = await emptyCampus({
      database: 'embedded',
      env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca, CAMPUS_LOG_LEVEL: 'trace' },
    })
    await start()
    const endpoint_id = (await made('endpoints', { endpoint: { url: service.url, secret: SECRET } })).id
    const language_id = (await made('languages', { language: { name: 'French', identifier: 'fr' } })).id
    campusId = (await made('campus', { campus: { name: 'Lyon', time_zone: 'UTC', language_id, endpoint_id } })).id
  })
  after(async () => {
    await campus?.remove()
    await service?.close()
    await folder?.remove()
  })

  async function start(): Promise<void> {
    server = await campus.start()
    for (const stream of [server.child.stdout, server.child.stderr]) {
      stream?.on('data', (data) => {
        output += data
      })
    }
    client = await campus.caller()
  }

  async function made(resource: string, body: object) {
    const { status, json, text } = await client.post(`/v2/${resource}`, body)
    assert.equal(status, 201, text)
    answers.push(text)
    return json
  }

  const person = (login: string) => ({
    login,
    email: `${login}@a.test`,
    first_name: 'Ada',
    last_name: 'Byron',
    kind: 'student',
    campus_id: campusId,
    password: PASSWORD,
    meta: { group: META, deep: { list: [META] } },
  })

  /** Waits until the first call about a user stands so. */
  async function reached(login: string, state: string, secrets: string): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const { json, text } = await client.get(`/v2/deliveries?filter[user]=${login}&sort=id`)
      answers.push(text)
      const [first] = json
      if (first?.state === state && first.secrets === secrets && (first.tries > 0 || state !== 'pending')) {
        answers.push((await client.get(`/v2/deliveries/${first.id}`)).text)
        return
      }
      await wait(50)
    }
    assert.fail(`${login} is not ${state} and ${secrets}`)
  }

  /** Returns all files: the database with its write-ahead log, and everything else. */
  async function onDisk(): Promise<string[]> {
    const database = await campus.openDatabase()
    await database.rows('checkpoint')
    await database.close()
    return filesWith(campus.env.CAMPUS_DATA as string, FORMS)
  }

  it('are on no disk while they are pending, though the webservice repeats them', async () => {
    service.behave(repeating({}))
    await made('users', { user: person('waiting') })
    await reached('waiting', 'pending', 'sealed')
    assert.ok(service.calls.some(({ text }) => text.includes(PASSWORD) && text.includes(META) && text.includes(SECRET)))
    assert.deepEqual(await onDisk(), [])
  })

  it('are on no disk once they are delivered, refused or given up', async () => {
    service.behave(repeating({ known: 200, refused: 422 }))
    await made('users', { user: person('known') })
    await reached('known', 'delivered', 'sent')
    await made('users', { user: person('refused') })
    await reached('refused', 'rejected', 'sent')
    assert.deepEqual(await onDisk(), [])
  })

  it('are sent by the running server when a command sets them, and rest nowhere', async () => {
    const person = ['--login', 'typed', '--email', 'typed@a.test', '--first-name', 'Ada', '--last-name', 'Byron']
    const words = ['user', 'create', ...person, '--campus', String(campusId), '--password-stdin']
    service.behave(repeating({ typed: 200 }))
    const { code, stderr } = await runCampus(words, campus.env, PASSWORD)
    assert.equal(code, 0, stderr)
    await reached('typed', 'delivered', 'sent')
    assert.equal(service.calls.find(({ body }) => body.login === 'typed')?.body.password, PASSWORD)
    assert.deepEqual(await onDisk(), [])
  })

  it('are in no answer, not even in one that refuses them', async () => {
    const user = person('faulty')
    const refused = [
      await client.post('/v2/users', { user: { ...user, email: 'none' } }),
      await client.post('/v2/users', { user: { ...user, password: { hidden: PASSWORD } } }),
      await client.post('/v2/users', { user: { ...user, password: [PASSWORD] } }),
      await client.post('/v2/users', { user: { ...user, meta: META } }),
      await client.post('/v2/users', { user: { ...user, campus_users_attributes: [{ campus_id: 999_999 }] } }),
      await client.post('/v2/users', `{"user": {"password": "${PASSWORD}", "meta": {"group": "${META}"`, {
        'content-type': 'application/json',
      }),
      await client.post('/v2/endpoints', { endpoint: { url: 'http://a.test', secret: SECRET } }),
      await client.patch('/v2/users/999999', { user }),
      await client.patch('/v2/users/known', { user: { password: PASSWORD, email: 'none' } }),
    ]
    for (const { status, text } of refused) {
      assert.ok(status >= 400 && status < 500, `${status} ${text}`)
      answers.push(text)
    }
    const body = new URLSearchParams({ login: 'known', password: `${PASSWORD} wrong` }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    for (const path of ['/sign-in', '/security/password', '/reset-password/no-such-token']) {
      answers.push((await client.request('POST', path, { headers, body })).text)
    }
    for (const path of ['/v2/endpoints', '/v2/endpoints/1', '/v2/endpoints/1/status', '/v2/users/known', '/metrics']) {
      answers.push((await client.get(path)).text)
    }
    assert.equal(answers.filter(holds).length, 0)
  })

  it('are nothing that the command line shows', async () => {
    for (const command of [['list'], ['show', '1'], ['show', '2', '--json']]) {
      const { code, stdout, stderr } = await runCommand(['deliveries', ...command], campus.env)
      assert.equal(code, 0, stderr)
      assert.ok(!holds(stdout + stderr), command.join(' '))
    }
  })

  it('are in no row, on no disk and in no log after the server was killed and its successor has delivered the rest', async () => {
    await made('users', { user: person('late') })
    await kill(server)
    const database = await campus.openDatabase()
    assert.ok(!holds(await everythingStored(database)))
    await database.rows("update deliveries set due_at = created_at, leased_until = null where state = 'pending'")
    // Ends the lease of the sealing key of the killed process.
    await database.rows('delete from sealing_keys')
    await database.close()
    service.behave(repeating({ waiting: 204, late: 204 }))
    await start()
    await reached('waiting', 'delivered', 'lost')
    await reached('late', 'delivered', 'lost')
    await kill(server)
    const last = await campus.openDatabase()
    assert.ok(!holds(await everythingStored(last)))
    assert.deepEqual(await last.rows('select id from deliveries where sealed is not null'), [])
    await last.close()
    assert.deepEqual(await onDisk(), [])
    assert.ok(output.includes('webhook delivered'), 'the log is empty')
    assert.ok(!holds(output))
  })
})
