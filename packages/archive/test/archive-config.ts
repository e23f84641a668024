import { readConfig } from '@campus/intranet/settings/config'
import { ARCHIVE_SETTINGS, type ArchiveConfig, archiveConfigOf } from '../settings.ts'

/** Reads settings, those of archives too. */
export const readArchiveConfig = (env: Readonly<Record<string, string>>): ArchiveConfig =>
  archiveConfigOf(readConfig(env, [{ settings: ARCHIVE_SETTINGS }]))
