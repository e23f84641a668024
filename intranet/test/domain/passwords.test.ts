import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from '../../access/passwords.ts'

test('a password is kept as an argon2id digest in PHC form with the recommended cost', async () => {
  const digest = await hashPassword('correct horse')
  assert.match(digest, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(await hashPassword('correct horse'), digest)
})

test('the password behind a digest is accepted, and no other', async () => {
  const digest = await hashPassword('correct horse ü')
  assert.equal(await verifyPassword(digest, 'correct horse ü'), true)
  assert.equal(await verifyPassword(digest, 'correct horse u'), false)
  assert.equal(await verifyPassword(digest, ''), false)
})

test('a digest made elsewhere with another cost is accepted', async () => {
  // Argon2's reference command line: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const digest = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await verifyPassword(digest, 'password'), true)
  assert.equal(await verifyPassword(digest, 'passwore'), false)
})

test('nobody has no password, and neither has a digest of another kind', async () => {
  assert.equal(await verifyPassword(null, ''), false)
  assert.equal(await verifyPassword('$2b$12$abc', 'anything'), false)
})

test('an unknown login takes as long as a known one', async () => {
  const digest = await hashPassword('correct horse')
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 15; round += 1) {
    times.known.push(await timeOf(digest))
    times.unknown.push(await timeOf(null))
  }
  // The least of each: what else the machine does only adds to a time.
  const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} ms with a digest, ${unknown} ms without`)
})

async function timeOf(digest: string | null): Promise<number> {
  const start = performance.now()
  await verifyPassword(digest, 'wrong horse')
  return performance.now() - start
}
