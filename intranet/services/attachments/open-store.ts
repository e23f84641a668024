import type { Config } from '../../settings/config.ts'
import { diskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'

export async function openStore({ files, s3 }: Pick<Config, 'files' | 's3'>): Promise<FileStore> {
  if (!s3) return diskStore(files)
  // The S3 client takes long to load.
  const { s3Store } = await import('./s3-store.ts')
  return s3Store(s3)
}
