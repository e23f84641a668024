import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { SETTINGS } from '../../src/base/settings/settings.ts'
import { canRun } from '../support/can-run.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const options = canRun('dpkg-deb', '--version') ? {} : { skip: 'SKIPPED the Debian package: there is no dpkg-deb' }

test(
  'the Debian package has a command that works, a unit, an account and settings that are kept',
  options,
  async (t) => {
    const { path, remove } = await temporaryFolder()
    t.after(remove)
    // Others run what is there.
    if (!existsSync('dist/campus.1')) await run('npm', ['run', '-s', 'build'])
    const { stdout } = await run(process.execPath, ['build/debian.ts', '--store', path])
    const file = stdout.trim()
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    const control = (await run('dpkg-deb', ['--field', file])).stdout
    assert.ok(control.includes(`Version: ${version}\n`), control)
    assert.equal((await run('dpkg-deb', ['--ctrl-tarfile', file], { encoding: 'buffer' })).stderr.length, 0)
    const root = join(path, 'root')
    await run('dpkg-deb', ['--extract', file, root])
    const command = (...words: readonly string[]) => run(join(root, 'usr/bin/campus'), words, { cwd: path, env: {} })
    assert.equal((await command('--version')).stdout, `${version}\n`)
    assert.match((await command('--help')).stdout, /serve/)
    // What Node was installed from is as large as Node.
    assert.equal(existsSync(join(root, 'usr/lib/campus-intranet/node_modules/node/node_modules')), false)
    const unit = await readFile(join(root, 'usr/lib/systemd/system/campus.service'), 'utf8')
    assert.ok(unit.includes('ExecStart=/usr/bin/campus serve'))
    assert.ok(unit.includes('EnvironmentFile=-/etc/campus/environment'))
    assert.deepEqual(await readdir(join(root, 'usr/lib/sysusers.d')), ['campus.conf'])
  },
)

test('each setting that the file of the Debian package proposes is one', async () => {
  const text = await readFile('ops/debian/environment', 'utf8')
  const named = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name as string)
  assert.ok(named.length > 1)
  for (const name of named) assert.ok(name in SETTINGS, name)
})

test('the scripts of the Debian package are right, and each does nothing in a step that is not its own', async () => {
  for (const script of ['postinst', 'prerm', 'postrm', 'campus']) await run('sh', ['-n', `ops/debian/${script}`])
  for (const script of ['postinst', 'prerm']) {
    const { stdout, stderr } = await run('sh', [`ops/debian/${script}`, 'abort-upgrade', '0.0.1'])
    assert.equal(stdout + stderr, '')
  }
})
