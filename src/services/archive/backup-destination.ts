import type { ArchiveSource } from './write-archive.ts'

/** Where scheduled backups are stored. An archive is stored completely or not at all. */
export type BackupDestination = {
  names(): Promise<readonly string[]>
  /** Removes what killed processes of the school have left. Throws BackupProblem if nothing can be stored. */
  write(source: ArchiveSource, name: string, school: string): Promise<void>
  remove(name: string): Promise<void>
}
