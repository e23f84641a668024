import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, test } from 'node:test'
import { askServer, ServerUnreachable } from '../../src/commands/ask-server.ts'
import { type ControlSocket, openControlSocket } from '../../src/commands/control-socket.ts'
import { notFound } from '../../src/errors.ts'
import { temporaryFolder } from '../support/folder.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let socket: ControlSocket | undefined
beforeEach(async () => {
  folder = await temporaryFolder()
  socket = undefined
})
afterEach(async () => {
  await socket?.close()
  await folder.remove()
})

type Run = Parameters<typeof openControlSocket>[1]

async function open(run: Run, path = folder.path): Promise<string> {
  socket = await openControlSocket(path, run)
  return socket.path
}

const silently = () => {}
const echo: Run = async (name, values) => ({ name, values })

test('a command comes with its values, and its result goes back', async () => {
  const path = await open(echo)
  const result = await askServer(path, 'app delete', { uid: 'ü\n' }, silently)
  assert.deepEqual(result, { name: 'app delete', values: { uid: 'ü\n' } })
})

test('progress is heard while the command runs', async () => {
  const path = await open(async (_name, _values, progress) => {
    progress('users', 1, 2)
    progress('users', 2, 2)
    return { done: true }
  })
  const heard: unknown[] = []
  assert.deepEqual(await askServer(path, 'seed', {}, (...event) => heard.push(event)), { done: true })
  assert.deepEqual(heard, [
    ['users', 1, 2],
    ['users', 2, 2],
  ])
})

test('a result of any size arrives whole', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `application ${index} ü`)
  const path = await open(async () => ({ names }))
  assert.deepEqual(await askServer(path, 'app list', undefined, silently), { names })
})

test('a refusal arrives with its sentence', async () => {
  const path = await open(async () => {
    throw notFound('No user has this login.')
  })
  await assert.rejects(askServer(path, 'user set-password', {}, silently), { message: 'No user has this login.' })
})

test('several commands run side by side', async () => {
  const path = await open(echo)
  const results = await Promise.all([1, 2, 3].map((uid) => askServer(path, 'app delete', { uid }, silently)))
  assert.deepEqual(
    results.map(({ values }) => values),
    [{ uid: 1 }, { uid: 2 }, { uid: 3 }],
  )
})

for (const [what, line] of [
  ['an unknown command', '{"command":"reboot","arguments":{}}'],
  ['the name of an inherited property', '{"command":"constructor","arguments":{}}'],
  ['garbage', 'garbage'],
] as const) {
  test(`${what} is answered by an error, and the next command is served`, async () => {
    const path = await open(echo)
    const client = connect(path)
    client.end(`${line}\n`)
    assert.deepEqual(Object.keys(JSON.parse(await text(client))), ['error', 'message'])
    assert.equal((await askServer(path, 'app list', undefined, silently)).name, 'app list')
  })
}

test('only the owner may use the socket, and the usual file mode of the process stays', async () => {
  const mask = process.umask()
  const path = await open(echo)
  assert.equal(path, join(folder.path, 'campus.sock'))
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(process.umask(), mask)
})

test('a socket left behind is no obstacle', async () => {
  await writeFile(join(folder.path, 'campus.sock'), '')
  const path = await open(echo)
  assert.equal((await askServer(path, 'app list', undefined, silently)).name, 'app list')
})

test('where the folder has too long a name the socket lies in a private folder elsewhere, and leaves nothing there', async () => {
  const long = join(folder.path, 'x'.repeat(100))
  await mkdir(long)
  const path = await open(echo, long)
  assert.ok(Buffer.byteLength(path) < 104, path)
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o700)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await askServer(path, 'app list', undefined, silently)).name, 'app list')
  await socket?.close()
  await assert.rejects(stat(dirname(path)), { code: 'ENOENT' })
})

test('closing waits for a running command, and not for whoever connected and said nothing', async () => {
  let finish = silently
  const path = await open(() => new Promise((resolve) => (finish = () => resolve({ finished: true }))))
  const silent = connect(path)
  await once(silent, 'connect')
  const asked = askServer(path, 'seed', {}, silently)
  while (finish === silently) await new Promise((resolve) => setTimeout(resolve, 5))
  let isClosed = false
  const closing = socket?.close().then(() => {
    isClosed = true
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(isClosed, false)
  finish()
  assert.deepEqual(await asked, { finished: true })
  await closing
  await assert.rejects(askServer(path, 'app list', undefined, silently), ServerUnreachable)
})

test('a server that goes away amid a command is reported as such', async () => {
  const path = join(folder.path, 'other.sock')
  const server = createServer((client) => client.once('data', () => client.destroy()))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await assert.rejects(askServer(path, 'seed', {}, silently), /stopped before it had answered/)
  server.close()
})
