import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openBulkConnection } from '@campus/engine/database/bulk-connection'
import { testDatabase } from '@campus/test/support/database'
import { FORMAT, HEAD } from '../format.ts'
import { loadRows } from '../load-tables.ts'
import { readPacked } from '../read-archive.ts'
import { compress } from '../streams.ts'
import { tarHeader, tarPadding } from '../tar.ts'
import { backUpTo, type Installation, NOW, restoreFrom } from './installation.ts'
import { emptyInstallation, smallSchool } from './small-school.ts'

const PASSPHRASE = 'open sesame, please'

describe('an archive that cannot be restored', () => {
  let school: Installation
  let target: Installation
  let plain: Buffer
  let encrypted: Buffer
  before(async () => {
    school = await smallSchool()
    target = await emptyInstallation()
    const file = join(school.config.data, 'school.campus')
    await backUpTo(file, school)
    plain = await readFile(file)
    await backUpTo(file, school, PASSPHRASE)
    encrypted = await readFile(file)
  })
  after(async () => {
    await school.close()
    await target.close()
  })

  /** Refused in these words, with nothing changed. */
  async function assertRefused(bytes: Buffer, message: RegExp, passphrase?: string): Promise<void> {
    const file = join(school.config.data, 'refused.campus')
    await writeFile(file, bytes)
    await assert.rejects(
      restoreFrom(file, target, passphrase === undefined ? undefined : { passphrase }),
      (error: Error) => {
        assert.equal(error.constructor.name, 'ArchiveError', `${error.stack}`)
        assert.match(error.message, message)
        return true
      },
    )
    assert.deepEqual(
      await target.database.rows("select relname from pg_class where relnamespace = 'public'::regnamespace"),
      [],
    )
    assert.deepEqual(await readdir(target.config.data), [])
  }

  it('is one that ends too early, wherever', async () => {
    for (const part of [0, 0.01, 0.5, 0.9]) {
      const end = Math.floor(plain.length * part)
      await assertRefused(plain.subarray(0, end), /not whole|no archive/)
      await assertRefused(encrypted.subarray(0, end), /not whole|damaged|no archive/, PASSPHRASE)
    }
    // The last bytes are a sum of what has proved itself by then, and a decompressor may do without them.
    await assertRefused(plain.subarray(0, -100), /not whole|damaged/)
    await assertRefused(encrypted.subarray(0, -1), /not whole|damaged/, PASSPHRASE)
  })

  it('is one in which a bit has turned, wherever', async () => {
    for (let step = 1; step < 12; step += 1) {
      const turned = (bytes: Buffer) => {
        const copy = Buffer.from(bytes)
        const at = Math.floor((copy.length * step) / 12)
        copy[at] = (copy[at] as number) ^ 1
        return copy
      }
      await assertRefused(turned(plain), /damaged|not whole|no archive/)
      await assertRefused(turned(encrypted), /damaged|not whole/, PASSPHRASE)
    }
  })

  it('does not end the process by a late error in another archive that follows it', async () => {
    const file = join(school.config.data, 'followed.campus')
    await writeFile(file, Buffer.concat([plain, plain]))
    for (let times = 0; times < 10; times += 1) {
      const read = readPacked(createReadStream(file, { highWaterMark: 1_000 }), undefined)
      assert.match(await read.then(() => 'It is whole.', String), /It is (whole|damaged)/)
      await pause(10)
    }
  })

  it('reports why the database refused a row', async () => {
    const database = await testDatabase()
    const connection = await openBulkConnection(database.url)
    try {
      await connection.rows('create table refused (name text not null)')
      const table = { table: 'refused', columns: ['name'], missing: [], change: undefined }
      await assert.rejects(loadRows(connection, table, manyRows()), /null value in column "name"/)
    } finally {
      await connection.close()
      await database.close()
    }

    /** Yields more rows long after the database has refused the first one. */
    async function* manyRows(): AsyncGenerator<Buffer> {
      for (let at = 0; at < 50; at += 1) {
        yield Buffer.from('[null]\n'.repeat(10_000))
        await pause(10)
      }
    }
  })

  it('is something else', async () => {
    await assertRefused(randomBytes(10_000), /no archive/)
    await assertRefused(Buffer.alloc(0), /not whole|no archive/)
    await assertRefused(await packed('other.json', '{}'), /no archive/)
  })

  it('is encrypted with another passphrase, or with one that nobody named', async () => {
    await assertRefused(encrypted, /the passphrase is another/, 'another one, sorry')
    await assertRefused(encrypted, /--passphrase-file/)
  })

  it('is of a newer format, or has seen migrations that are not known here', async () => {
    const head = { format: FORMAT, service: '9.0.0', created_at: NOW, tables: [], sequences: {} }
    await assertRefused(
      await packed(HEAD, { ...head, format: FORMAT + 1, migrations: [] }),
      /newer version \(9\.0\.0\)/,
    )
    await assertRefused(
      await packed(HEAD, { ...head, migrations: ['9999_more'] }),
      /newer version \(9\.0\.0, 9999_more\)/,
    )
  })

  it('has secrets that are sealed with a key that is not here', async () => {
    await assertRefused(plain, /secret\.key of that installation/)
  })

  it('is to go into a database that holds a school', async () => {
    const other = await smallSchool()
    try {
      const file = join(school.config.data, 'school.campus')
      const logins = 'select login from users order by id'
      const before = await other.database.rows(logins)
      await assert.rejects(
        restoreFrom(file, other, { passphrase: PASSPHRASE }),
        /holds a school already \(2 rows in users\)/,
      )
      assert.deepEqual(await other.database.rows(logins), before)
    } finally {
      await other.close()
    }
  })

  it('leaves nothing that looks like one where it could not be made', async () => {
    const file = join(school.config.data, 'none.campus')
    await rm(join(school.config.data, 'secret.key'))
    await assert.rejects(backUpTo(file, school), /sealed with another key/)
    assert.deepEqual(
      (await readdir(school.config.data)).filter((name) => name.startsWith('none')),
      [],
    )
  })
})

/** An archive with this entry alone. */
async function packed(name: string, content: object | string): Promise<Buffer> {
  const bytes = Buffer.from(JSON.stringify(content))
  const parts = [tarHeader(name, bytes.length, NOW), bytes, tarPadding(bytes.length), Buffer.alloc(1024)]
  return buffer(compress(Readable.from(parts)))
}
