import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { findSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { ArchiveError } from '../format.ts'
import { verifyArchive } from '../verify-archive.ts'
import { writeArchive } from '../write-archive.ts'
import { backUpTo, type Installation } from './installation.ts'
import { smallSchool } from './small-school.ts'

const PASSPHRASE = { passphrase: 'open sesame, please' }
const CHUNK_BYTES = 1_000

describe('an archive that is being made', () => {
  let school: Installation
  let plain: Buffer
  let encrypted: Buffer
  before(async () => {
    school = await smallSchool()
    const file = join(school.config.data, 'school.campus')
    await backUpTo(file, school)
    plain = await readFile(file)
    await backUpTo(file, school, PASSPHRASE.passphrase)
    encrypted = await readFile(file)
  })
  after(() => school.close())

  const chunksOf = (bytes: Buffer) =>
    Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, at) =>
      bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
    )
  const verified = (bytes: Buffer, opening?: typeof PASSPHRASE) =>
    verifyArchive(Readable.from(chunksOf(bytes)), opening)

  it('passes on its bytes if a restore can read them', async () => {
    assert.ok((await buffer(verified(plain))).equals(plain))
    assert.ok((await buffer(verified(encrypted, PASSPHRASE))).equals(encrypted))
  })

  it('fails, and does not wait, if a restore cannot read them', async () => {
    const altered = (bytes: Buffer, at: number) => {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 0xff
      return copy
    }
    for (const [archive, opening] of [
      [plain, undefined],
      [encrypted, PASSPHRASE],
    ] as const)
      for (const wrong of [
        archive.subarray(0, -20),
        altered(archive, 0),
        altered(archive, archive.length >> 1),
        Buffer.alloc(1_000_000, 'x'),
      ])
        await assert.rejects(
          buffer(verified(wrong, opening)),
          (error: Error) =>
            error instanceof ArchiveError && /cannot be read back, and was discarded/.test(error.message),
        )
    await assert.rejects(buffer(verified(encrypted, { passphrase: 'another passphrase' })), /cannot be read back/)
  })

  it('ends with the error of its source', async () => {
    async function* broken() {
      yield* chunksOf(plain).slice(0, 3)
      throw new Error('the database went away')
    }
    await assert.rejects(buffer(verifyArchive(Readable.from(broken()), undefined)), /the database went away/)
  })

  it('gets its name only if it was read back, however it is encrypted', async () => {
    const { config, database } = school
    const before = await readdir(config.data)
    const recipients = [await identityToRecipient(await generateX25519Identity())]
    const secretKey = await findSecretKey(config)
    // A time that neither the head nor the headers of entries can hold.
    const now = new Date(Date.UTC(12_026, 2, 2))
    const source = { store: await openStore(config), secretKey, now, progress: () => {} }
    const file = join(config.data, 'unreadable.campus')
    for (const closing of [undefined, PASSPHRASE, { recipients }])
      await assert.rejects(
        database.inBulk((connection) => writeArchive({ ...source, connection, closing }, file)),
        /cannot be read back, and was discarded/,
      )
    assert.deepEqual(await readdir(config.data), before)
  })
})
