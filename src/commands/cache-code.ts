import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { isOwnFile } from '../private-files.ts'

/**
 * Keeps the compiled code of what is loaded from now on in the data folder, unless the launcher has said where: an installation need
 * not be writable. What is there is run, so that a folder of somebody else, or that others may write to, is not used.
 */
export function cacheCode({ data }: Pick<Config, 'data'>): void {
  const cache = join(data, 'cache')
  if (getCompileCacheDir() !== undefined || !existsSync(data)) return
  if (isOwnFile(data) && isOwnFile(cache)) enableCompileCache(cache)
}

/** Writes down what was compiled for the start, as long as it is there: what is not used again is soon forgotten. */
export const saveCode = flushCompileCache
