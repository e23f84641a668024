import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where tests keep files: in memory where the system offers it, since a database is some 1500 small files.
 * CAMPUS_TEST_TEMPORARY names another place, for schools that are larger than the memory.
 */
export const TEMPORARY = process.env.CAMPUS_TEST_TEMPORARY ?? (isWritable('/dev/shm') ? '/dev/shm' : tmpdir())

/** A folder of the test's own. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(TEMPORARY, 'campus-'))
  // The database of a service that was killed may be about to end, and write its last files meanwhile.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
