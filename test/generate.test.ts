import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { writeTexts } from '../build/generated-files.ts'
import { GENERATORS } from '../build/generators.ts'
import { temporaryFolder } from './support/folder.ts'

const COMMAND = resolve('build/generate.ts')
const SETTINGS = 'docs/settings.md'
const SURFACE = 'docs/reference/surface.txt'

describe('npm run generate', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
    for (const file of [SETTINGS, SURFACE, 'CHANGELOG.md']) {
      await mkdir(dirname(join(folder.path, file)), { recursive: true })
      await cp(file, join(folder.path, file))
    }
  })
  afterEach(() => folder.remove())

  const generate = (...words: readonly string[]) =>
    spawnSync(process.execPath, [COMMAND, ...words], { cwd: folder.path, encoding: 'utf8' })
  const change = async (file: string, edit: (text: string) => string) => {
    const path = join(folder.path, file)
    await writeFile(path, edit(await readFile(path, 'utf8')))
  }

  it('names a file that is out of date, its differing lines and the command that writes it, which mends it', async () => {
    assert.deepEqual([generate('settings', '--check').stderr, generate('settings', '--check').status], ['', 0])
    await change(SETTINGS, (text) => text.replace('# Settings\n', '# Former settings\n'))
    const { status, stderr, stdout } = generate('settings', '--check')
    assert.deepEqual([status, stdout], [1, ''])
    assert.equal(
      stderr,
      `${SETTINGS} is out of date. Run "npm run generate -- settings".\n- # Former settings\n+ # Settings\n`,
    )
    assert.equal(generate('settings').status, 0)
    assert.equal(await readFile(join(folder.path, SETTINGS), 'utf8'), await readFile(SETTINGS, 'utf8'))
  })

  it('neither writes nor accepts a surface that loses what the changelog does not name', async () => {
    await change(SURFACE, (text) => `${text}field user.gone: string\n`)
    const before = await readFile(join(folder.path, SURFACE), 'utf8')
    for (const words of [['surface'], ['surface', '--check']]) {
      const { status, stderr } = generate(...words)
      assert.equal(status, 1)
      assert.match(stderr, /^Clients can no longer rely on these.*\nfield user\.gone: string\n$/)
    }
    assert.equal(await readFile(join(folder.path, SURFACE), 'utf8'), before)
  })

  it('refuses an unknown name with the names that there are', () => {
    const { status, stderr } = generate('setings')
    assert.equal(status, 1)
    assert.match(stderr, /no generator setings\. Name some of .*\bsettings\b/)
  })

  it('leaves unchanged files alone and removes what no generator writes from a generated folder', async () => {
    await mkdir(join(folder.path, 'made'))
    await writeFile(join(folder.path, 'made/former.txt'), 'x')
    const texts = { 'made/a.txt': 'a', 'made/b.txt': 'b' }
    assert.deepEqual(await writeTexts(folder.path, texts, ['made/']), ['made/a.txt', 'made/b.txt'])
    assert.deepEqual(await readdir(join(folder.path, 'made')), ['a.txt', 'b.txt'])
    assert.deepEqual(await writeTexts(folder.path, { ...texts, 'made/b.txt': 'c' }, ['made/']), ['made/b.txt'])
  })
})

describe('the generators', () => {
  it('write committed files that are there, and others that Git ignores', async () => {
    const ignored = (await readFile('.gitignore', 'utf8')).split('\n')
    for (const { writes, isCommitted } of Object.values(GENERATORS)) {
      for (const path of writes) {
        assert.equal(ignored.includes(`/${path}`), !isCommitted, path)
        assert.ok(!isCommitted || existsSync(path), path)
      }
    }
  })

  it('that npm ci runs need neither the tests nor a database', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
    const names = /npm run -s generate -- (.+)$/.exec(scripts.prepare)?.[1]?.split(' ') ?? []
    assert.ok(names.length > 0, scripts.prepare)
    const source = await readFile('build/generators.ts', 'utf8')
    for (const name of names) {
      assert.ok(GENERATORS[name] && !GENERATORS[name].asksService, name)
      assert.doesNotMatch(String(GENERATORS[name]?.make), /test\//, name)
    }
    assert.doesNotMatch(source, /^import .*test\//m)
  })
})
