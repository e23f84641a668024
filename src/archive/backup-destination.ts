import type { ArchiveSource } from './write-archive.ts'

/** Where backups are kept that are made by themselves. An archive is there whole, or not at all. */
export type BackupDestination = {
  names(): Promise<readonly string[]>
  write(source: ArchiveSource, name: string): Promise<void>
  remove(name: string): Promise<void>
}
