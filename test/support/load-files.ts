/**
 * The test files of `CAMPUS_TEST_FILES`, one after another in one process. Each is a suite of its own, so that what it sets up
 * before its tests is there while they run and no longer. It is required rather than imported, since a suite is what is defined
 * before its function returns; a file that waits at its top level cannot be.
 */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { describe } from 'node:test'

const load = createRequire(import.meta.url)
for (const file of JSON.parse(String(process.env.CAMPUS_TEST_FILES)) as readonly string[])
  describe(file, () => load(resolve(file)))
