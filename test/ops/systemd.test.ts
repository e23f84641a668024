import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { ALL_SETTINGS } from '../support/all-settings.ts'
import { canRun } from '../support/can-run.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const UNIT = 'ops/systemd/campus.service'
const options = canRun('systemd-analyze', '--version')
  ? {}
  : { skip: 'SKIPPED the systemd unit: systemd-analyze is not installed' }

test('systemd finds nothing wrong with the unit', options, async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  // The account and the program are there once the unit is installed.
  const unit = (await readFile(UNIT, 'utf8'))
    .replace(/^(User|Group)=.*\n/gm, '')
    .replace('/usr/bin/campus', '/bin/true')
  await writeFile(join(path, 'campus.service'), unit)
  const { stdout, stderr } = await run('systemd-analyze', ['verify', join(path, 'campus.service')])
  assert.ok(!(stdout + stderr).includes('campus.service'), stdout + stderr)
})

test('the unit leaves little of the system open to the service', options, async () => {
  const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', '--no-pager', UNIT])
  assert.match(stdout, /Overall exposure level for campus\.service: [01]\.\d/)
})

test('Prometheus may read the certificate where its configuration names it', async () => {
  const unit = await readFile(UNIT, 'utf8')
  const [, file] =
    /^ExecStartPost=-\/usr\/bin\/install -m 644 \/var\/lib\/campus\/tls\/cert\.pem (.*)$/m.exec(unit) ?? []
  assert.match(unit, /^RuntimeDirectory=campus\nRuntimeDirectoryMode=0755$/m)
  const { scrape_configs } = parse(await readFile('ops/prometheus/prometheus.yml', 'utf8'))
  assert.equal(scrape_configs[0].tls_config.ca_file, file)
  assert.equal(file, '/run/campus/cert.pem')
})

test('each credential and variable that the unit names is a setting', async () => {
  const unit = await readFile(UNIT, 'utf8')
  const named = [...unit.matchAll(/^#?(?:LoadCredential|Environment)=(\w+)/gm)].map(([, name]) => name as string)
  assert.ok(named.length >= 3)
  for (const name of named) assert.ok(name in ALL_SETTINGS, name)
})
