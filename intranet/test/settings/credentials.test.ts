import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { runCampus } from '@campus/test/support/run-campus'
import { withCredentials } from '../../settings/credentials.ts'
import { misspelt } from '../../settings/misspelt.ts'

test('a setting may be a file of the folder of credentials; a variable goes before it', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  await writeFile(join(path, 'DATABASE_URL'), 'postgres://from-a-file\n')
  await writeFile(join(path, 'CAMPUS_PORT'), '1\n')
  await writeFile(join(path, 'PATH'), 'is no setting')
  const env = { CREDENTIALS_DIRECTORY: path, CAMPUS_PORT: '2', DATABASE_URL: ' ' }
  const { DATABASE_URL, CAMPUS_PORT, PATH } = withCredentials(env)
  assert.deepEqual(
    { DATABASE_URL, CAMPUS_PORT, PATH },
    { DATABASE_URL: 'postgres://from-a-file', CAMPUS_PORT: '2', PATH: undefined },
  )
  assert.deepEqual(withCredentials({ CAMPUS_PORT: '2' }), { CAMPUS_PORT: '2' })
})

test('a file of the folder of credentials that looks like a setting and is none is named; others are not looked at', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  for (const name of ['CAMPUS_SECRET_KEYS', 'CAMPUS_PORT', 'POSTGRES_PASSWORD']) {
    await writeFile(join(path, name), '0')
  }
  const env = withCredentials({ CREDENTIALS_DIRECTORY: path })
  assert.deepEqual(env, { CREDENTIALS_DIRECTORY: path, CAMPUS_PORT: '0', CAMPUS_SECRET_KEYS: '' })
  assert.deepEqual(misspelt(env), [
    'CAMPUS_SECRET_KEYS is no setting, so it changes nothing. Did you mean "CAMPUS_SECRET_KEY"?',
  ])
})

test('a folder of credentials that is not there holds none', () => {
  const env = { CREDENTIALS_DIRECTORY: '/nowhere/at-all' }
  assert.deepEqual(withCredentials(env), env)
})

test('a secret that is wrong in its file is named, and not shown', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  await writeFile(join(path, 'DATABASE_URL'), 'mysql://hush')
  const { code, stderr } = await runCampus(['app', 'list'], { CREDENTIALS_DIRECTORY: path, CAMPUS_DATA: path })
  assert.equal(code, 1)
  assert.match(stderr, /^DATABASE_URL must begin with postgres:/)
  assert.ok(!stderr.includes('hush'))
})
