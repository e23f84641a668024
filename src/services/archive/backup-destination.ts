import type { ArchiveSource } from './write-archive.ts'

/** Where scheduled backups are stored. An archive is stored completely or not at all. */
export type BackupDestination = {
  names(): Promise<readonly string[]>
  write(source: ArchiveSource, name: string): Promise<void>
  remove(name: string): Promise<void>
}
