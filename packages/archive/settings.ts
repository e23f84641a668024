import type { Config } from '@campus/intranet/settings/config'
import { file, folder, secretText, text, wholeNumber } from '@campus/intranet/settings/kinds'
import { type Environment, schemaOf } from '@campus/intranet/settings/read-settings'
import { setting } from '@campus/intranet/settings/settings'
import * as v from 'valibot'

const DECLARED = {
  CAMPUS_BACKUP_FOLDER: setting(
    v.optional(folder),
    'folder of backups that are made by themselves ([backups](operating.md#backups))',
    {
      otherwise: 'none are',
    },
  ),
  CAMPUS_BACKUP_PREFIX: setting(
    v.optional(text),
    'they go into the bucket of attached files instead, by names that begin so, such as `backups/`',
  ),
  CAMPUS_BACKUP_EVERY_HOURS: setting(v.optional(wholeNumber(1, 720), '24'), 'hours from one of them to the next'),
  CAMPUS_BACKUP_KEEP_DAILY: setting(
    v.optional(wholeNumber(1, 1000), '7'),
    'days of which the last backup is kept, of those that have one',
  ),
  CAMPUS_BACKUP_KEEP_WEEKLY: setting(
    v.optional(wholeNumber(0, 1000), '4'),
    'weeks of which the last backup is kept, too',
  ),
  CAMPUS_BACKUP_PASSPHRASE: setting(
    v.optional(secretText(12)),
    'encrypts backups, and decrypts them where they are restored',
    {
      otherwise: 'none: they are not encrypted',
    },
  ),
  CAMPUS_BACKUP_PASSPHRASE_FILE: setting(v.optional(file), 'file with that passphrase in its first line, instead'),
}

export const ARCHIVE_SETTINGS = { declared: DECLARED, validate }

function validate(env: Environment): Readonly<Record<string, string>> {
  return {
    ...(env.CAMPUS_BACKUP_PREFIX &&
      !env.CAMPUS_S3_BUCKET && { CAMPUS_S3_BUCKET: 'must name a bucket, since CAMPUS_BACKUP_PREFIX is set.' }),
    ...(env.CAMPUS_BACKUP_FOLDER &&
      env.CAMPUS_BACKUP_PREFIX && { CAMPUS_BACKUP_PREFIX: 'must not be set, since CAMPUS_BACKUP_FOLDER is.' }),
    ...(env.CAMPUS_BACKUP_PASSPHRASE &&
      env.CAMPUS_BACKUP_PASSPHRASE_FILE && {
        CAMPUS_BACKUP_PASSPHRASE_FILE: 'must not be set, since CAMPUS_BACKUP_PASSPHRASE is.',
      }),
  }
}

export type BackupConfig = ReturnType<typeof backupOf>

export type ArchiveConfig = Config & { readonly backup: BackupConfig }

const SCHEMA = schemaOf(DECLARED)

/** Adds the configuration of this part. */
export const archiveConfigOf = (config: Config): ArchiveConfig => ({
  ...config,
  backup: backupOf(v.parse(SCHEMA, config.ofParts)),
})

/** A folder, or a prefix in the bucket. */
type Destination = { readonly folder: string } | { readonly prefix: string }

function backupOf(settings: v.InferOutput<typeof SCHEMA>) {
  const { CAMPUS_BACKUP_FOLDER: folder, CAMPUS_BACKUP_PREFIX: prefix } = settings
  const destination: Destination | undefined = folder ? { folder } : prefix ? { prefix } : undefined
  /** Numbers of retained daily and weekly backups. */
  const keep = { daily: settings.CAMPUS_BACKUP_KEEP_DAILY, weekly: settings.CAMPUS_BACKUP_KEEP_WEEKLY }
  return {
    /** Passphrase that encrypts the archives, or the file that contains it. */
    passphrase: settings.CAMPUS_BACKUP_PASSPHRASE,
    passphraseFile: settings.CAMPUS_BACKUP_PASSPHRASE_FILE,
    /** Undefined if no backups are scheduled. */
    schedule: destination && { destination, everyHours: settings.CAMPUS_BACKUP_EVERY_HOURS, keep },
  }
}
