import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './support/folder.ts'
import { EVERY_TEST, groupsOf, OF_ITS_VERSION } from './support/test-groups.ts'

test('a run has every test file once, however many patterns name it, and what depends on the version once more', () => {
  const groups = groupsOf({ embedded: EVERY_TEST, oldest: OF_ITS_VERSION, isEachAlone: false })
  const filesOn = (isOldest: boolean) =>
    groups.flatMap(({ files, isOnOldest }) => (isOnOldest === isOldest ? files : [])).sort()
  assert.deepEqual(filesOn(false), globSync(EVERY_TEST).sort())
  assert.ok(filesOn(false).some((file) => file.startsWith('engine/')))
  assert.deepEqual(filesOn(true), globSync(OF_ITS_VERSION).sort())
})

test('a run that names a missing test file fails', async () => {
  const words = ['test/support/run-tests.ts', 'test/test-groups.test.ts', 'test/test-gruops.test.ts']
  const run = spawnSync(process.execPath, words, { encoding: 'utf8' })
  assert.equal(run.stderr, 'No test file matches test/test-gruops.test.ts.\n')
  assert.equal(run.status, 1)
})

test('a run fails if a test failed and its process ended with the exit code 0', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'failing.test.ts')
  await writeFile(
    file,
    `import { test } from 'node:test'
     process.on('exit', () => { process.exitCode = 0 })
     test('fails', () => { throw new Error('as it must') })`,
  )
  const run = spawnSync(process.execPath, ['test/support/run-tests.ts', file], { encoding: 'utf8' })
  await folder.remove()
  assert.match(run.stdout, /^0 passed, 1 failed, 0 skipped$/m)
  assert.equal(run.status, 1)
})

test('a file that changes what its process shares has one of its own', () => {
  const changing = globSync(EVERY_TEST).filter((file) =>
    /\bglobalAgent\.options\.\w+ = /.test(readFileSync(file, 'utf8')),
  )
  assert.ok(changing.length > 0)
  const groups = groupsOf({ embedded: EVERY_TEST, oldest: [], isEachAlone: false })
  for (const file of changing) assert.deepEqual(groups.find(({ files }) => files.includes(file))?.files, [file])
})
