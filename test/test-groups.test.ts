import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { groupsOf, OF_ITS_VERSION } from './support/test-groups.ts'

test('a run has every test file once, however many patterns name it, and what depends on the version once more', () => {
  const every = 'test/**/*.test.ts'
  const groups = groupsOf({ embedded: [every], oldest: OF_ITS_VERSION, isEachAlone: false })
  const filesOn = (isOldest: boolean) =>
    groups.flatMap(({ files, isOnOldest }) => (isOnOldest === isOldest ? files : [])).sort()
  assert.deepEqual(filesOn(false), globSync(every).sort())
  assert.deepEqual(filesOn(true), globSync(OF_ITS_VERSION).sort())
})

test('a run that names a missing test file fails', async () => {
  const words = ['test/support/run-tests.ts', 'test/test-groups.test.ts', 'test/test-gruops.test.ts']
  const run = spawnSync(process.execPath, words, { encoding: 'utf8' })
  assert.equal(run.stderr, 'No test file matches test/test-gruops.test.ts.\n')
  assert.equal(run.status, 1)
})

test('a file that changes what its process shares has one of its own', () => {
  const every = 'test/**/*.test.ts'
  const changing = globSync(every).filter((file) => /\bglobalAgent\.options\.\w+ = /.test(readFileSync(file, 'utf8')))
  assert.ok(changing.length > 0)
  const groups = groupsOf({ embedded: [every], oldest: [], isEachAlone: false })
  for (const file of changing) assert.deepEqual(groups.find(({ files }) => files.includes(file))?.files, [file])
})
