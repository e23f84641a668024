import assert from 'node:assert/strict'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Jobs } from '@campus/engine/base/metrics/jobs'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { findSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { runCommand } from '@campus/test/support/run-command'
import { BUCKET, S3 } from '@campus/test/support/s3-storage'
import { testClock } from '@campus/test/support/test-clock'
import { lastBackupAt, openDestination } from '../backup-destinations.ts'
import { BackupProblem } from '../backup-problem.ts'
import { checkBackups } from '../check-backups.ts'
import { examineBackups } from '../doctor.ts'
import { backUpIfDue, installationId, type Scheduled } from '../scheduled-backups.ts'
import { readArchiveConfig } from './archive-config.ts'
import { type Installation, NOW } from './installation.ts'
import { smallSchool, urlOf } from './small-school.ts'

const DAY_MS = 86_400_000

describe('scheduled backups', () => {
  let school: Installation
  let other: Installation
  let file: string
  before(async () => {
    school = await smallSchool()
    other = await smallSchool()
    // Databases of the tests are copies of one that was migrated.
    await other.database.rows(`update installation set id = '00aa11bb22cc'`)
    file = join(school.config.data, 'a-file')
    await writeFile(file, '')
  })
  after(async () => {
    await school.close()
    await other.close()
  })

  async function scheduledOf({ config, database }: Installation, env: Readonly<Record<string, string>>) {
    const read = readArchiveConfig(env)
    const scheduled: Scheduled = {
      database,
      backup: read.backup,
      destination: await openDestination(read.backup.schedule as never, read),
      store: await openStore(config),
      clock: testClock(NOW),
      secretKey: (await findSecretKey(config)) as Buffer,
      jobs: new Jobs(),
    } as never
    return scheduled
  }

  it('stop a start, and are a fault to the doctor, if the folder or the passphrase is not usable', async () => {
    const { config, database } = school
    for (const [env, message] of [
      [{ CAMPUS_BACKUP_FOLDER: file }, /^CAMPUS_BACKUP_FOLDER must be a folder .*ENOTDIR/],
      [{ CAMPUS_BACKUP_FOLDER: join(file, 'below') }, /^CAMPUS_BACKUP_FOLDER must be a folder .*ENOTDIR/],
      [
        { CAMPUS_BACKUP_FOLDER: config.data, CAMPUS_BACKUP_PASSPHRASE_FILE: join(config.data, 'none') },
        /^CAMPUS_BACKUP_PASSPHRASE_FILE \(--passphrase-file\) must be a file that can be read; .*ENOENT/,
      ],
      [
        { CAMPUS_BACKUP_FOLDER: config.data, CAMPUS_BACKUP_PASSPHRASE_FILE: file },
        /^CAMPUS_BACKUP_PASSPHRASE_FILE \(--passphrase-file\) must be a file with a passphrase/,
      ],
    ] as const) {
      const settings = { CAMPUS_DATA: config.data, DATABASE_URL: await urlOf(database), CAMPUS_PORT: '0', ...env }
      const { code, stderr } = await runCommand(['serve', '--empty'], settings)
      assert.equal(code, 1)
      assert.match(stderr, message)
      const [finding] = await examineBackups({ config: readArchiveConfig(settings), database, now: NOW } as never)
      assert.equal(finding?.state, 'fault')
      assert.match(String(finding?.said), message)
    }
  })

  it('are checked without a trace', async () => {
    const folder = join(school.config.data, 'not', 'made', 'yet')
    const before = await readdir(school.config.data)
    await checkBackups(readArchiveConfig({ CAMPUS_BACKUP_FOLDER: folder }), assert.fail)
    assert.deepEqual(await readdir(school.config.data), before)
  })

  it('name the setting if their folder is lost later', async () => {
    const scheduled = await scheduledOf(school, { CAMPUS_BACKUP_FOLDER: join(file, 'below') })
    await assert.rejects(
      scheduled.destination.write(
        { ...scheduled, closing: undefined, now: NOW, progress: () => {}, connection: undefined as never },
        'campus-2026-03-02T10-00-00Z-aa.campus',
        'aa',
      ),
      (error) => error instanceof BackupProblem && /^CAMPUS_BACKUP_FOLDER must be a folder/.test(error.message),
    )
  })

  it('stop a start if the bucket refuses, and only warn if it does not answer', async () => {
    let status = 403
    const storage = createServer((_, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve))
    const { port } = storage.address() as AddressInfo
    const config = readArchiveConfig({
      CAMPUS_BACKUP_PREFIX: 'backups/',
      CAMPUS_S3_BUCKET: BUCKET,
      CAMPUS_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      CAMPUS_S3_ACCESS_KEY_ID: S3.accessKeyId,
      CAMPUS_S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
    })
    const warnings: string[] = []
    const check = () => checkBackups(config, (text) => warnings.push(text))
    try {
      for (status of [403, 404]) await assert.rejects(check(), /^Error: CAMPUS_S3_BUCKET must be a bucket .* refuses/)
      assert.deepEqual(warnings, [])
      status = 503
      await check()
    } finally {
      storage.closeAllConnections()
      await new Promise((resolve) => storage.close(resolve))
    }
    await check()
    assert.equal(warnings.length, 2)
    for (const text of warnings) assert.match(text, /^CAMPUS_S3_BUCKET must be a bucket .* does not answer/)
  })

  it('of two schools in one folder are due, found and deleted apart', async () => {
    const folder = join(school.config.data, 'shared')
    await mkdir(folder)
    const env = { CAMPUS_BACKUP_FOLDER: folder, CAMPUS_BACKUP_KEEP_DAILY: '1', CAMPUS_BACKUP_KEEP_WEEKLY: '0' }
    const former = 'campus-2026-02-01T10-00-00Z.campus'
    await writeFile(join(folder, former), 'of a former release')
    const [one, two] = [await scheduledOf(school, env), await scheduledOf(other, env)]
    const [first, second] = [await installationId(school.database), await installationId(other.database)]
    assert.notEqual(first, second)
    assert.equal(await backUpIfDue(one), `campus-2026-03-02T10-00-00Z-${first}.campus`)
    assert.equal(await lastBackupAt(two.destination, NOW, second), undefined)
    assert.equal(await backUpIfDue(two), `campus-2026-03-02T10-00-00Z-${second}.campus`)
    const later = testClock(new Date(NOW.getTime() + DAY_MS))
    await backUpIfDue({ ...one, clock: later })
    assert.deepEqual(
      (await readdir(folder)).sort(),
      [former, `campus-2026-03-02T10-00-00Z-${second}.campus`, `campus-2026-03-03T10-00-00Z-${first}.campus`].sort(),
    )
    await rm(folder, { recursive: true })
  })
})
