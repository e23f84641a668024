import type { Config } from '../../settings/config.ts'
import { diskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'

/** The storage that the configuration names. */
export async function openStore({ files, s3 }: Pick<Config, 'files' | 's3'>): Promise<FileStore> {
  if (!s3) return diskStore(files)
  // Loaded only where it is used: it is most of what a start would take.
  const { s3Store } = await import('./s3-store.ts')
  return s3Store(s3)
}
