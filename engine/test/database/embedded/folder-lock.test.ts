import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, test } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { ConfigError } from '../../../base/config-error.ts'
import { FolderInUse, takeLock } from '../../../database/embedded/folder-lock.ts'

const LOCK = new URL('../../../database/embedded/folder-lock.ts', import.meta.url).href
const HOLD = `
  import { takeLock } from '${LOCK}'
  takeLock(process.argv[1], 'serve').then(
    () => { console.log('taken'); setInterval(() => {}, 1000) },
    ({ message }) => console.log(message),
  )`

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let children: ChildProcess[]
beforeEach(async () => {
  folder = await temporaryFolder()
  children = []
})
afterEach(async () => {
  for (const child of children) await end(child)
  await folder.remove()
})

/** Another process that tries to take the folder, and keeps it if it can. */
function contender(): ChildProcess & { firstLine: Promise<string> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, folder.path])
  children.push(child)
  const firstLine = once(child.stdout, 'data').then(([data]) => String(data).trim())
  return Object.assign(child, { firstLine })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('the folder is made for its owner alone, and says who has it', async () => {
  const path = join(folder.path, 'new', 'data')
  const lock = await takeLock(path, 'test')
  assert.equal((await stat(path)).mode & 0o777, 0o700)
  assert.equal(JSON.parse(await readFile(join(path, 'campus.lock'), 'utf8')).pid, process.pid)
  await lock.release()
})

test('a second process is refused at once, by a message that names the first and the folder', async () => {
  const first = contender()
  assert.equal(await first.firstLine, 'taken')
  await assert.rejects(takeLock(folder.path, 'test'), (error: Error) => {
    assert.ok(error instanceof FolderInUse)
    assert.ok(
      error.message.startsWith(`The data folder ${folder.path} is in use by process ${first.pid} (campus serve);`),
      error.message,
    )
    return true
  })
})

test('the same process does not get the folder twice either', async () => {
  const lock = await takeLock(folder.path, 'test')
  await assert.rejects(takeLock(folder.path, 'test'), FolderInUse)
  await lock.release()
})

test('a folder that was released is free', async () => {
  for (let round = 0; round < 3; round += 1) await (await takeLock(folder.path, 'test')).release()
  assert.equal(await contender().firstLine, 'taken')
})

test('a folder whose holder was killed is free at once', async () => {
  const first = contender()
  await first.firstLine
  await end(first)
  await (await takeLock(folder.path, 'test')).release()
})

test('a lock file left behind is no obstacle, even where its process id belongs to another program by now', async () => {
  await writeFile(join(folder.path, 'campus.lock'), JSON.stringify({ pid: process.ppid, command: 'serve' }))
  assert.equal(await contender().firstLine, 'taken')
})

test('of eight processes that race for a folder left behind, one gets it and the others name it', async () => {
  const dead = contender()
  await dead.firstLine
  await end(dead)
  const racers = Array.from({ length: 8 }, contender)
  const lines = await Promise.all(racers.map(({ firstLine }) => firstLine))
  const winner = racers[lines.indexOf('taken')]
  for (const line of lines.filter((line) => line !== 'taken'))
    assert.match(line, new RegExp(`process ${winner?.pid} \\(campus serve\\);`))
  assert.equal(lines.filter((line) => line === 'taken').length, 1)
})

test('whoever is refused learns where the database of the holder is reached', async () => {
  const lock = await takeLock(folder.path, 'test')
  await lock.announce('postgres://somewhere')
  await assert.rejects(takeLock(folder.path, 'test'), {
    holder: { pid: process.pid, command: 'test', url: 'postgres://somewhere' },
  })
  await lock.release()
})

test('a folder that cannot be made is a fault of CAMPUS_DATA', async () => {
  await writeFile(join(folder.path, 'file'), '')
  await assert.rejects(takeLock(join(folder.path, 'file', 'data'), 'test'), (error: Error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /^CAMPUS_DATA must be a folder that can be written to; /)
    return true
  })
})

test('a lock that nobody looks at any more still holds', async () => {
  const script = `
    import { takeLock } from '${LOCK}'
    takeLock(process.argv[1], 'serve').then(() => { setTimeout(() => { gc(); gc(); console.log('collected') }, 50); setInterval(() => {}, 1000) })`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, folder.path])
  children.push(child)
  await once(child.stdout, 'data')
  await assert.rejects(takeLock(folder.path, 'test'), FolderInUse)
  child.kill('SIGKILL')
  await text(child.stdout)
})
