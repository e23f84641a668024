import { existsSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { isOwnFile } from '@campus/engine/base/private-files'
import type { Config } from '../settings/config.ts'

/**
 * Caches compiled code in the data folder, unless the launcher named another, since an installation may be read-only. Cached
 * code is run, so folders that others own or may write to are not used. `flushCompileCache` saves the code that the start has
 * compiled and drops unused entries.
 */
export function cacheCode({ data }: Pick<Config, 'data'>): void {
  const cache = join(data, 'cache')
  if (getCompileCacheDir() !== undefined || !existsSync(data)) return
  if (isOwnFile(data) && isOwnFile(cache)) enableCompileCache(cache)
}
