import assert from 'node:assert/strict'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { defined } from '@campus/engine/base/defined'
import { Jobs } from '@campus/engine/base/metrics/jobs'
import { textOf } from '@campus/engine/base/metrics/text'
import type { Database } from '@campus/engine/database/database'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { openBucket } from '@campus/intranet/services/attachments/s3-client'
import { s3Store } from '@campus/intranet/services/attachments/s3-store'
import { findSecretKey, storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { BUCKET, openStorage, S3 } from '@campus/test/support/s3-storage'
import { testClock } from '@campus/test/support/test-clock'
import { until } from '@campus/test/support/until'
import { lastBackupAt, openDestination } from '../backup-destinations.ts'
import { backupMetrics } from '../backup-metrics.ts'
import { examineBackups } from '../doctor.ts'
import { expiredNames, scheduledName } from '../retention.ts'
import { backUpIfDue, backUpOnSchedule, installationId, type Scheduled } from '../scheduled-backups.ts'
import { serverBackups } from '../server-backups.ts'
import { readArchiveConfig } from './archive-config.ts'
import { type Installation, NOW, restoreFrom } from './installation.ts'
import { emptyInstallation, smallSchool } from './small-school.ts'

const HOUR_MS = 3_600_000
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS)

describe('backups that are made by themselves', () => {
  let school: Installation
  let scheduled: Scheduled & { readonly clock: ReturnType<typeof testClock> }
  let folder: string
  let schoolId: string
  before(async () => {
    school = await smallSchool()
    folder = join(school.config.data, 'backups')
    const passphrase = join(school.config.data, 'passphrase')
    await writeFile(passphrase, 'open sesame, please\n')
    const config = readArchiveConfig({
      CAMPUS_BACKUP_FOLDER: folder,
      CAMPUS_BACKUP_PASSPHRASE_FILE: passphrase,
      CAMPUS_BACKUP_KEEP_DAILY: '2',
      CAMPUS_BACKUP_KEEP_WEEKLY: '0',
    })
    const secretKey = (await findSecretKey(school.config)) as Buffer
    const { database } = school
    schoolId = await installationId(database)
    const { backup } = config
    const destination = await openDestination(backup.schedule as never, config)
    scheduled = {
      database,
      backup,
      destination,
      store: await openStore(school.config),
      clock: testClock(NOW),
      secretKey,
    }
  })
  after(() => school.close())

  it('are made once by however many processes, and again when the next is due', async () => {
    const made = await Promise.all([backUpIfDue(scheduled), backUpIfDue(scheduled), backUpIfDue(scheduled)])
    assert.deepEqual(made.filter(Boolean), [`campus-2026-03-02T10-00-00Z-${schoolId}.campus`])
    scheduled.clock.set(later(23.9))
    assert.equal(await backUpIfDue(scheduled), undefined)
    scheduled.clock.set(later(24))
    assert.equal(await backUpIfDue(scheduled), `campus-2026-03-03T10-00-00Z-${schoolId}.campus`)
  })

  it('are encrypted where a passphrase is set, and can be restored', async () => {
    const target = await emptyInstallation()
    try {
      const file = join(folder, `campus-2026-03-03T10-00-00Z-${schoolId}.campus`)
      await assert.rejects(restoreFrom(file, target), /encrypted/)
      await restoreFrom(file, target, { passphrase: 'open sesame, please' })
      assert.deepEqual(await target.database.rows('select count(*) from users'), [['2']])
    } finally {
      await target.close()
    }
  })

  it('are deleted when later ones are enough, and nothing else is', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'notes.txt'), '')
    await writeFile(join(folder, `${scheduledName(later(47), schoolId)}.part`), 'of a process that was killed')
    scheduled.clock.set(later(48))
    await backUpIfDue(scheduled)
    assert.deepEqual((await readdir(folder)).sort(), [
      `campus-2026-03-03T10-00-00Z-${schoolId}.campus`,
      `campus-2026-03-04T10-00-00Z-${schoolId}.campus`,
      'notes.txt',
    ])
  })

  it('have the room that backups of killed processes took, also if they fail again', async () => {
    const present = (await readdir(folder)).sort()
    await writeFile(join(folder, `${scheduledName(later(60), schoolId)}.part`), 'of a process that was killed')
    await writeFile(join(folder, `${scheduledName(later(60), 'ab12')}.part`), 'of another school')
    const { store } = scheduled
    const full: typeof store = Object.create(store, { read: { value: () => Promise.reject(new Error('ENOSPC')) } })
    await assert.rejects(backUpIfDue({ ...scheduled, clock: testClock(later(72)), store: full }), /ENOSPC/)
    const others = `${scheduledName(later(60), 'ab12')}.part`
    assert.deepEqual((await readdir(folder)).sort(), [...present, others].sort())
    await rm(join(folder, others))
  })

  it('go into the bucket where a prefix is named, are due and deleted by what is there, and can be restored', async () => {
    const storage = await openStorage(join(school.config.data, 'bucket'))
    const target = await emptyInstallation()
    try {
      const config = readArchiveConfig({
        CAMPUS_BACKUP_PREFIX: 'backups/',
        CAMPUS_BACKUP_KEEP_DAILY: '1',
        CAMPUS_BACKUP_KEEP_WEEKLY: '0',
        CAMPUS_S3_BUCKET: BUCKET,
        CAMPUS_S3_ENDPOINT: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
        CAMPUS_S3_ACCESS_KEY_ID: S3.accessKeyId,
        CAMPUS_S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
      })
      const { backup, s3 } = config
      const destination = await openDestination(backup.schedule as never, config)
      const toBucket = { ...scheduled, backup, destination }
      assert.equal(await lastBackupAt(destination, scheduled.clock.now(), schoolId), undefined)
      scheduled.clock.set(later(72))
      assert.equal(await backUpIfDue(toBucket), `campus-2026-03-05T10-00-00Z-${schoolId}.campus`)
      assert.equal(await backUpIfDue(toBucket), undefined)
      scheduled.clock.set(later(96))
      assert.equal(await backUpIfDue(toBucket), `campus-2026-03-06T10-00-00Z-${schoolId}.campus`)
      assert.deepEqual(await destination.names(), [`campus-2026-03-06T10-00-00Z-${schoolId}.campus`])
      assert.deepEqual(await lastBackupAt(destination, later(96), schoolId), later(96))

      // Two uploads of killed processes, and one of somebody else.
      const client = openBucket(s3 as never)
      const begin = async (Key: string) =>
        (await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }))).UploadId
      await begin(`backups/campus-2026-03-04T10-00-00Z-${schoolId}.campus`)
      await begin(`backups/campus-2026-03-05T10-00-00Z-${schoolId}.campus`)
      const other = await begin('backups/films.tar')
      scheduled.clock.set(later(97))
      await school.database.inBulk((connection) =>
        destination.write(
          { ...toBucket, closing: undefined, now: NOW, progress: () => {}, connection },
          `campus-2026-03-06T10-00-00Z-${schoolId}.campus`,
          schoolId,
        ),
      )
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }))
      assert.deepEqual(
        Uploads.map(({ UploadId }) => UploadId),
        [other],
      )

      const stopping = AbortSignal.abort()
      const source = { ...toBucket, closing: undefined, now: NOW, progress: () => {}, signal: stopping }
      const written = school.database.inBulk((connection) =>
        destination.write({ ...source, connection }, `campus-2026-03-07T10-00-00Z-${schoolId}.campus`, schoolId),
      )
      await assert.rejects(written)
      assert.deepEqual(await destination.names(), [`campus-2026-03-06T10-00-00Z-${schoolId}.campus`])

      const stored = await s3Store(s3 as never).read(`backups/campus-2026-03-06T10-00-00Z-${schoolId}.campus`)
      const file = join(target.config.data, 'school.campus')
      await writeFile(file, await buffer(stored as never))
      await storeSecretKey(target.config, scheduled.secretKey)
      await restoreFrom(file, target)
      assert.deepEqual(await target.database.rows('select count(*) from users'), [['2']])
    } finally {
      await target.close()
      await new Promise((resolve) => storage.close(resolve))
    }
  })

  it('are missed where the last one is older than it should be, which the doctor tells', async () => {
    const checkedConfig = (hours: number, config = {}) => ({
      config: { ...school.config, backup: { ...scheduled.backup, ...config } },
      database: school.database,
      now: later(hours),
    })
    const states = async (hours: number, config = {}) =>
      (await examineBackups(checkedConfig(hours, config))).map(({ state }) => state)
    assert.deepEqual(await states(48 + 26), ['well'])
    assert.deepEqual(await states(48 + 27), ['fault'])
    assert.deepEqual(await states(48, { schedule: undefined }), ['warning'])
    const destination = { folder: join(folder, 'none') }
    assert.deepEqual(await states(48, { schedule: { ...scheduled.backup.schedule, destination } }), ['fault'])
  })

  it('are made, kept and checked as before when the clock was a year ahead for some days', async () => {
    const year = 365 * 24
    const ahead = [year, year + 24, year + 48].map((hours) => scheduledName(later(hours), schoolId))
    for (const name of ahead) await writeFile(join(folder, name), '')
    scheduled.clock.set(later(72))
    const now = scheduledName(later(72), schoolId)
    assert.equal(await backUpIfDue(scheduled), now)
    assert.deepEqual(
      (await readdir(folder)).sort(),
      [scheduledName(later(48), schoolId), now, ...ahead, 'notes.txt'].sort(),
    )
    assert.deepEqual(await lastBackupAt(scheduled.destination, later(72), schoolId), later(72))
    for (const name of [now, ...ahead]) await rm(join(folder, name))
  })

  it('are tried again an hour after a failure, also when the clock was set back meanwhile', async () => {
    let tries = 0
    const clock = testClock(later(365 * 24))
    const failing = {
      ...scheduled,
      clock,
      jobs: new Jobs(),
      destination: { ...scheduled.destination, names: () => Promise.reject(new Error('no folder')) },
    }
    const stop = backUpOnSchedule(failing, { onMade: () => {}, onError: () => (tries += 1) }, 10)
    await until(() => tries === 1)
    clock.set(later(365 * 24 + 0.9))
    await wait(50)
    assert.equal(tries, 1)
    clock.set(later(72))
    await until(() => tries === 2)
    await stop()
  })

  it('are told as metrics: how many, and when the last was made', async () => {
    const families = await backupMetrics({ made: 2, failed: 1 }, { everyHours: 24 }, () =>
      lastBackupAt(scheduled.destination, later(48), schoolId),
    )
    const text = await textOf(families, 'prometheus')
    assert.match(text, /^campus_backups_total\{result="made"\} 2$/m)
    assert.match(text, new RegExp(`^campus_backup_last_success_timestamp_seconds ${later(48).getTime() / 1000}$`, 'm'))
  })

  it('are reported as metrics while the database fails, and after that', async () => {
    let isAway = true
    const rows: Database['rows'] = async (...given) => {
      if (isAway) throw new Error('The database is away.')
      return school.database.rows(...given)
    }
    const { backup, store, secretKey } = scheduled
    const clock = testClock(later(48))
    const database = Object.create(school.database, { rows: { value: rows } })
    const config = { ...school.config, backup }
    const log = { info() {}, error() {} }
    const more = { schedule: defined(backup.schedule), isRunning: () => true, jobs: new Jobs(), log }
    const server = serverBackups({ config, database, store, clock, secretKey, ...more })
    const lastReported = async () => {
      const text = await textOf(await server.collect(), 'prometheus')
      return Number(/^campus_backup_last_success_timestamp_seconds (.*)$/m.exec(text)?.[1]) * 1000
    }
    assert.equal(await lastReported(), 0)
    isAway = false
    assert.equal(await lastReported(), later(48).getTime())
    isAway = true
    assert.equal(await lastReported(), later(48).getTime())
  })

  it('are kept by days and by weeks', () => {
    const names = Array.from({ length: 60 * 2 }, (_, halfDay) => scheduledName(later(halfDay * 12), schoolId))
    const gone = new Set(expiredNames([...names, 'other'], { school: schoolId, daily: 7, weekly: 4 }, later(60 * 24)))
    const days = names.filter((name) => !gone.has(name)).map((name) => name.slice(7, 20))
    assert.deepEqual(days, [
      '2026-04-12T22',
      '2026-04-19T22',
      '2026-04-24T22',
      '2026-04-25T22',
      '2026-04-26T22',
      '2026-04-27T22',
      '2026-04-28T22',
      '2026-04-29T22',
      '2026-04-30T22',
    ])
    assert.ok(!gone.has('other'))
  })
})
