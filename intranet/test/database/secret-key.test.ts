import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { loadSecretKey } from '../../services/sealing/secret-key.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

test('a configured key is the key, and no file is made', async () => {
  const secretKey = Buffer.alloc(32, 1)
  assert.equal(await loadSecretKey({ data: join(folder.path, 'none'), secretKey }), secretKey)
  await assert.rejects(stat(join(folder.path, 'none')), { code: 'ENOENT' })
})

test('a key is made at first use, for its owner alone, and is the same ever after, also for those who come together', async () => {
  const data = join(folder.path, 'data')
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey({ data, secretKey: undefined })))
  const path = join(data, 'secret.key')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.match(await readFile(path, 'utf8'), /^[0-9a-f]{64}\n$/)
  for (const key of keys) assert.deepEqual(key, keys[0])
  assert.equal(keys[0]?.length, 32)
})

test('a damaged key file stops the start without being shown or replaced', async () => {
  const path = join(folder.path, 'secret.key')
  await writeFile(path, 'abcdef')
  await assert.rejects(loadSecretKey({ data: folder.path, secretKey: undefined }), (error: Error) => {
    assert.match(error.message, /secret\.key must hold 64 hex digits; restore it, or set CAMPUS_SECRET_KEY\./)
    assert.ok(!error.message.includes('abcdef'))
    return true
  })
  assert.equal(await readFile(path, 'utf8'), 'abcdef')
})
