import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import type { Config } from '../config.ts'

/**
 * Keeps the compiled code of what is loaded from now on in the data folder, unless the launcher has said where: nobody else
 * may write there, who could have us run code of theirs, and an installation need not be writable.
 */
export function cacheCode({ data }: Pick<Config, 'data'>): void {
  if (getCompileCacheDir() === undefined && existsSync(data)) enableCompileCache(join(data, 'cache'))
}

/** Writes down what was compiled for the start, as long as it is there: what is not used again is soon forgotten. */
export const saveCode = flushCompileCache
