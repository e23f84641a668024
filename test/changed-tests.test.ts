import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsReachedBy } from './support/changed-tests.ts'

test('a change reaches the tests that import it through other files, and those of the folder that mirrors its own', () => {
  const reached = testsReachedBy(['intranet/webhooks/connect-guard.ts'])
  assert.ok(reached.includes('intranet/test/webhooks/connect-guard.test.ts'), 'imports it')
  assert.ok(reached.includes('intranet/test/webhooks/sending.test.ts'), 'is of the same folder')
  assert.ok(reached.length < 50, `${reached.length} files`)
  assert.ok(
    testsReachedBy(['intranet/pages/home/home.ts']).includes('intranet/test/pages/home.test.ts'),
    'is of the folder above',
  )
})

test('a changed test is run, and what nothing imports reaches no test', () => {
  assert.deepEqual(testsReachedBy(['test/imports.test.ts']).includes('test/imports.test.ts'), true)
  assert.deepEqual(testsReachedBy(['docs/pages.md']), [])
})
