import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './support/folder.ts'
import { LEFT_TO_RELEASE } from './support/release-only.ts'
import {
  ALL_FILES,
  groupsOf,
  nameOf,
  RELEASE_FIGURES,
  RELEASE_FILES,
  VERSION_DEPENDENT,
  VERSION_DEPENDENT_IN_SUITE,
} from './support/test-groups.ts'
import { readTimes, storeTimes } from './support/test-times.ts'

test('a run has every test file once, however many patterns name it, and what depends on the version once more', () => {
  const groups = groupsOf({ embedded: ALL_FILES, oldest: VERSION_DEPENDENT, isEachAlone: false })
  const filesOn = (isOldest: boolean) =>
    groups.flatMap(({ files, isOnOldest }) => (isOnOldest === isOldest ? files : [])).sort()
  assert.deepEqual(filesOn(false), globSync(ALL_FILES).sort())
  assert.deepEqual(filesOn(true), globSync(VERSION_DEPENDENT).sort())
})

test('a run begins with the groups that took longest before, and unknown ones before them, without changing who shares a process', () => {
  const wanted = { embedded: ALL_FILES, oldest: VERSION_DEPENDENT_IN_SUITE, isEachAlone: false }
  const before = groupsOf(wanted)
  const [first, ...others] = before
  assert.ok(first)
  const times = new Map(
    others.flatMap(({ files, isOnOldest }, at) =>
      files.map((file) => [nameOf(file, isOnOldest), { seconds: at / files.length, processorSeconds: 0 }] as const),
    ),
  )
  assert.deepEqual(groupsOf({ ...wanted, times }), [first, ...others.toReversed()])
})

test('a run replaces the times of its files in the table, keeps those of other files, and drops missing and failed ones', async () => {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'times/table.txt')
  const counts = { passed: 1, failed: 0, skipped: 0, reasons: [], failures: [], diagnostics: [] }
  const [groups, totals] = ['test/test-groups.test.ts', 'test/totals.test.ts']
  const onOldest = nameOf(totals, true)
  storeTimes(
    [
      { ...counts, file: groups, seconds: 1, processorSeconds: 2 },
      { ...counts, file: onOldest, seconds: 1_234.56, processorSeconds: 7_654.3 },
      { ...counts, file: totals, seconds: 3, processorSeconds: 4, failed: 1 },
      { ...counts, file: 'test/missing.test.ts', seconds: 3, processorSeconds: 4 },
    ],
    path,
  )
  storeTimes([{ ...counts, file: groups, seconds: 5, processorSeconds: 6 }], path)
  assert.deepEqual(
    [...readTimes(path)],
    [
      [onOldest, { seconds: 1_234.6, processorSeconds: 7_654.3 }],
      [groups, { seconds: 5, processorSeconds: 6 }],
    ],
  )
  await folder.remove()
})

test('what the suite runs on the oldest version is part of what a release runs there', () => {
  const atRelease = globSync(VERSION_DEPENDENT)
  const inSuite = globSync(VERSION_DEPENDENT_IN_SUITE)
  assert.equal(inSuite.length, 6)
  assert.deepEqual(
    inSuite.filter((file) => !atRelease.includes(file)),
    [],
  )
})

test('a release runs every file with a figure or a test of its own, and sets no figure that no file reads', () => {
  const figures = Object.keys(RELEASE_FIGURES)
  const readBy = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/process\.env\.(CAMPUS_TEST_\w+)|import \{ (RELEASE_ONLY) \}/g)].map(
      ([, variable, own]) => variable ?? own ?? '',
    )
  const files = globSync(ALL_FILES).map((file) => ({ file, names: readBy(file) }))
  const atRelease = globSync(RELEASE_FILES)
  const owners = files.filter(({ names }) => names.some((name) => name === 'RELEASE_ONLY' || figures.includes(name)))
  assert.ok(owners.length > 10)
  assert.deepEqual(
    owners.map(({ file }) => file).filter((file) => !atRelease.includes(file)),
    [],
  )
  const known = [...files.flatMap(({ names }) => names), ...globSync('test/support/*.ts').flatMap(readBy)]
  assert.deepEqual(
    figures.filter((name) => !known.includes(name)),
    [],
  )
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

test('a run fails if a file leaves all its tests to a release', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'release.test.ts')
  await writeFile(file, `import { test } from 'node:test'\ntest('waits', { skip: '${LEFT_TO_RELEASE}' }, () => {})`)
  const env = { ...process.env, CAMPUS_TEST_RELEASE: '' }
  const run = spawnSync(process.execPath, ['test/support/run-tests.ts', file], { encoding: 'utf8', env })
  await folder.remove()
  assert.match(run.stdout, /Keep a small form in the suite/)
  assert.equal(run.status, 1)
})

test('tests copy folders by copyTree, which takes a tenth of the processor time of cp of Node.js', () => {
  const files = globSync('{,{engine,intranet,packages/*}/}test/**/*.ts').filter(
    (file) => file !== 'test/support/empty-project.ts',
  )
  const copying = files.filter((file) => /\bcp(Sync)?\([^\n]+recursive/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(copying, [])
})

test('a file that changes what its process shares has one of its own', () => {
  const changing = globSync(ALL_FILES).filter((file) =>
    /\bglobalAgent\.options\.\w+ = /.test(readFileSync(file, 'utf8')),
  )
  assert.ok(changing.length > 0)
  const groups = groupsOf({ embedded: ALL_FILES, oldest: [], isEachAlone: false })
  for (const file of changing) assert.deepEqual(groups.find(({ files }) => files.includes(file))?.files, [file])
})
