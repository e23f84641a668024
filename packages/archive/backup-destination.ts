import type { ArchiveSource } from './write-archive.ts'

/** A storage for scheduled backups. It stores an archive completely or not at all. */
export type BackupDestination = {
  names(): Promise<readonly string[]>
  /** Writes an archive, and removes partial ones that killed processes of the school left. Throws BackupProblem if it cannot write. */
  write(source: ArchiveSource, name: string, school: string): Promise<void>
  remove(name: string): Promise<void>
}
