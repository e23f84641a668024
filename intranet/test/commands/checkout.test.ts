import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '@campus/test/support/folder'
import { NO_OLDEST_NODE, OLDEST_NODE } from '@campus/test/support/oldest-node'

const ROOT = new URL('../../../', import.meta.url)
/** Folders of sources in which the checkout has no file. */
const EMPTY = ['engine', 'packages', 'service']

describe('the command of a checkout', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
    for (const name of ['bin', 'build', 'clients/typescript/src', 'dist', 'intranet/school/domain/projects', ...EMPTY])
      await mkdir(join(folder.path, name), { recursive: true })
    for (const file of ['bin/newer-node.js', 'build/campus.js', 'build/is-built.js'])
      await copyFile(new URL(file, ROOT), join(folder.path, file))
    await symlink(fileURLToPath(new URL('node_modules', ROOT)), join(folder.path, 'node_modules'))
  })
  after(() => folder.remove())

  const SOURCES = [
    'package.json',
    'package-lock.json',
    'build/build.ts',
    'service/main.ts',
    'intranet/school/domain/projects/teams.ts',
    'clients/typescript/src/send.ts',
  ]
  beforeEach(async () => {
    for (const file of SOURCES) await writeFile(join(folder.path, file), "console.log('sources')")
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder.path, 'dist/main.js'), "console.log('build')")
    await touch('dist/main.js', 60)
  })

  /** Lets the file be as many seconds old, or younger than now. */
  async function touch(file: string, seconds: number): Promise<void> {
    const at = new Date(Date.now() + seconds * 1000)
    await utimes(join(folder.path, file), at, at)
  }

  async function runs(node = process.execPath): Promise<string> {
    const { stdout } = await promisify(execFile)(node, [join(folder.path, 'build/campus.js')])
    return stdout.trim()
  }

  it('runs the build where it is newer than the sources', async () => {
    assert.equal(await runs(), 'build')
  })

  for (const file of SOURCES.slice(1)) {
    it(`runs the sources once ${file} has changed`, async () => {
      await touch(file, 120)
      assert.equal(await runs(), 'sources')
    })
  }

  it('runs on the Node of the packages where the machine has an older one', { skip: NO_OLDEST_NODE }, async () => {
    await writeFile(join(folder.path, 'dist/main.js'), 'console.log(process.version)')
    await touch('dist/main.js', 60)
    assert.equal(await runs(OLDEST_NODE), process.version)
  })

  it('runs the sources once a file is gone, and where there is no build', async () => {
    await touch('intranet/school/domain', 120)
    assert.equal(await runs(), 'sources')
    await rm(join(folder.path, 'dist/main.js'))
    assert.equal(await runs(), 'sources')
  })
})
