import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it, test } from 'node:test'
import { promisify } from 'node:util'
import { ALL_SETTINGS } from '../support/all-settings.ts'
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
    // The package of Node that npm installs from is as large as Node.
    assert.equal(existsSync(join(root, 'usr/lib/campus-intranet/node_modules/node/node_modules')), false)
    const unit = await readFile(join(root, 'usr/lib/systemd/system/campus.service'), 'utf8')
    assert.ok(unit.includes('ExecStart=/usr/bin/campus serve'))
    assert.ok(unit.includes('EnvironmentFile=-/etc/campus/environment'))
    assert.deepEqual(await readdir(join(root, 'usr/lib/sysusers.d')), ['campus.conf'])
  },
)

describe('the command of the Debian package', {
  skip: process.getuid?.() === 0 ? false : 'SKIPPED: root alone',
}, () => {
  const ACCOUNT = 'nobody'
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let command: string
  before(async () => {
    folder = await temporaryFolder()
    await chmod(folder.path, 0o755)
    const node = join(folder.path, 'lib/campus-intranet/node_modules/node/bin/node')
    await mkdir(dirname(node), { recursive: true })
    await writeFile(
      node,
      '#!/bin/sh\nid -un\necho "$CAMPUS_DATA|$DATABASE_URL|$CAMPUS_PORT|$CAMPUS_BACKUP_PASSPHRASE"\n',
      { mode: 0o755 },
    )
    const lines = [
      '# a comment',
      'CAMPUS_PORT=9443',
      'DATABASE_URL=postgres://h/campus?a=1&b=$2',
      'CAMPUS_BACKUP_PASSPHRASE="ab #cd"',
    ]
    await writeFile(join(folder.path, 'environment'), `${lines.join('\n')}\n`, { mode: 0o640 })
    command = join(folder.path, 'bin/campus')
    await mkdir(dirname(command))
    const text = (await readFile('ops/debian/campus', 'utf8'))
      .replace('account=campus', `account=${ACCOUNT}`)
      .replace('/etc/campus/environment', join(folder.path, 'environment'))
    await writeFile(command, text, { mode: 0o755 })
  })
  after(() => folder.remove())

  const ran = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    (await run(command, words, { env: { PATH: process.env.PATH, ...env } })).stdout.trim().split('\n')

  it('uses the settings, the folder and the account of the service when root runs it', async () => {
    const settings = '/var/lib/campus|postgres://h/campus?a=1&b=$2|9443|ab #cd'
    assert.deepEqual(await ran(['user', 'list']), [ACCOUNT, settings])
  })

  it('prefers variables that are set', async () => {
    const [, settings] = await ran(['health'], { CAMPUS_PORT: '1' })
    assert.match(settings ?? '', /\|1\|/)
  })

  it('leaves alone a command that names another installation', async () => {
    assert.deepEqual(await ran(['user', 'list'], { CAMPUS_DATA: '/srv/a' }), ['root', '/srv/a|||'])
    assert.deepEqual(await ran(['user', 'list'], { DATABASE_URL: 'postgres://a' }), ['root', '|postgres://a||'])
    assert.deepEqual(await ran(['user', 'list', '--data', '/srv/a']), ['root', '|||'])
  })
})

test('each setting that the file of the Debian package proposes is one', async () => {
  const text = await readFile('ops/debian/environment', 'utf8')
  const named = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name as string)
  assert.ok(named.length > 1)
  for (const name of named) assert.ok(name in ALL_SETTINGS, name)
})

test('the scripts of the Debian package are right, and each does nothing in a step that is not its own', async () => {
  for (const script of ['postinst', 'prerm', 'postrm', 'campus']) await run('sh', ['-n', `ops/debian/${script}`])
  for (const script of ['postinst', 'prerm']) {
    const { stdout, stderr } = await run('sh', [`ops/debian/${script}`, 'abort-upgrade', '0.0.1'])
    assert.equal(stdout + stderr, '')
  }
})

describe('the script that configures the Debian package', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let calls: string
  beforeEach(async () => {
    folder = await temporaryFolder()
    calls = join(folder.path, 'calls')
    await writeFile(calls, '')
  })
  afterEach(() => folder.remove())

  /** Configures the package on a system with these accounts and groups. Returns the commands that change the system. */
  async function configure(accounts: readonly string[], settings: string): Promise<string> {
    for (const command of [
      'adduser',
      'addgroup',
      'install',
      'chgrp',
      'deb-systemd-helper',
      'deb-systemd-invoke',
      'systemctl',
    ])
      await writeFile(join(folder.path, command), `#!/bin/sh\necho ${command} "$@" >> ${calls}\n`, { mode: 0o755 })
    const found = accounts.map((one) => `'${one}'`).join(' | ') || "''"
    await writeFile(join(folder.path, 'getent'), `#!/bin/sh\ncase "$*" in ${found}) ;; *) exit 2 ;; esac\n`, {
      mode: 0o755,
    })
    const script = join(folder.path, 'postinst')
    await writeFile(
      script,
      (await readFile('ops/debian/postinst', 'utf8')).replaceAll('/etc/campus/environment', settings),
    )
    await run('sh', [script, 'configure', '0.2.0'], { env: { PATH: `${folder.path}:${process.env.PATH}` } })
    return readFile(calls, 'utf8')
  }

  it('lets only the account of the service read its settings', async () => {
    const settings = join(folder.path, 'environment')
    await writeFile(settings, '', { mode: 0o644 })
    assert.match(await configure(['passwd campus', 'group campus'], settings), /^chgrp campus /m)
    assert.equal((await stat(settings)).mode & 0o777, 0o640)
  })

  it('goes on if an administrator has deleted the settings, which the service does not need', async () => {
    const done = await configure(['passwd campus', 'group campus'], join(folder.path, 'none'))
    assert.match(done, /^deb-systemd-helper .*campus\.service$/m)
    assert.doesNotMatch(done, /^(adduser|addgroup|chgrp) /m)
  })

  it('makes the group of the service if an account of that name has another group', async () => {
    const done = await configure(['passwd campus'], join(folder.path, 'none'))
    assert.match(done, /^addgroup --system --quiet campus$/m)
    assert.ok(done.indexOf('addgroup') < done.indexOf('install -d'))
    await writeFile(calls, '')
    assert.match(await configure([], join(folder.path, 'none')), /^adduser --system --group /m)
  })
})
