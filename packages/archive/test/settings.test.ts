import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@campus/engine/base/config-error'
import { readConfig } from '@campus/intranet/settings/config'
import { readArchiveConfig } from './archive-config.ts'

const FAULTS: readonly (readonly [env: Readonly<Record<string, string>>, message: RegExp])[] = [
  [{ CAMPUS_BACKUP_EVERY_HOURS: 'often' }, /^CAMPUS_BACKUP_EVERY_HOURS must be a whole number/],
  [{ CAMPUS_BACKUP_PREFIX: 'backups/' }, /^CAMPUS_S3_BUCKET must name a bucket, since CAMPUS_BACKUP_PREFIX is set\.$/],
  [
    { CAMPUS_BACKUP_FOLDER: '/srv/a', CAMPUS_BACKUP_PREFIX: 'b/', ...bucket() },
    /^CAMPUS_BACKUP_PREFIX must not be set, since CAMPUS_BACKUP_FOLDER is\.$/,
  ],
  [
    { CAMPUS_BACKUP_PASSPHRASE: 'open sesame, please', CAMPUS_BACKUP_PASSPHRASE_FILE: '/srv/passphrase' },
    /^CAMPUS_BACKUP_PASSPHRASE_FILE must not be set, since CAMPUS_BACKUP_PASSPHRASE is\.$/,
  ],
]

function bucket() {
  return { CAMPUS_S3_BUCKET: 'files', CAMPUS_S3_ACCESS_KEY_ID: 'a', CAMPUS_S3_SECRET_ACCESS_KEY: 'b' }
}

test('settings of backups are checked with all others, each by its name', () => {
  for (const [env, message] of FAULTS)
    assert.throws(
      () => readArchiveConfig(env),
      (error) => error instanceof ConfigError && message.test(error.message),
      String(message),
    )
  assert.throws(() => readArchiveConfig({ CAMPUS_PORT: 'x', CAMPUS_BACKUP_KEEP_DAILY: 'y' }), /CAMPUS_PORT.*\n.*_DAILY/)
})

test('backups go into a folder, or into the bucket of files', () => {
  const keep = { daily: 7, weekly: 2 }
  const { backup } = readArchiveConfig({ CAMPUS_BACKUP_FOLDER: '/srv/backups', CAMPUS_BACKUP_KEEP_WEEKLY: '2' })
  assert.deepEqual(backup.schedule, { destination: { folder: '/srv/backups' }, everyHours: 24, keep })
  const { backup: toBucket } = readArchiveConfig({ CAMPUS_BACKUP_PREFIX: 'backups/', ...bucket() })
  assert.deepEqual(toBucket.schedule?.destination, { prefix: 'backups/' })
  assert.equal(readArchiveConfig({ CAMPUS_BACKUP_FOLDER: ' ' }).backup.schedule, undefined)
})

test('a service without archives reads none of their settings', () => {
  assert.deepEqual(readConfig({ CAMPUS_BACKUP_EVERY_HOURS: 'often' }), readConfig({}))
})
