import { existsSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { isOwnFile } from '@campus/engine/base/private-files'
import type { Config } from '../settings/config.ts'

/**
 * Caches compiled code in the data folder, unless the launcher named another: an installation may be read-only. Cached
 * code is run, so a folder of another owner, or one that others may write to, is not used. `flushCompileCache` saves what
 * the start has compiled; entries that are no longer used are dropped.
 */
export function cacheCode({ data }: Pick<Config, 'data'>): void {
  const cache = join(data, 'cache')
  if (getCompileCacheDir() !== undefined || !existsSync(data)) return
  if (isOwnFile(data) && isOwnFile(cache)) enableCompileCache(cache)
}
