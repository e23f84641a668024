import assert from 'node:assert/strict'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { Staging } from '@campus/engine/http/staging'
import { testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { builderOf } from '@campus/test/support/row-builder'
import { diskStore } from '../../services/attachments/disk-store.ts'
import type { FileStore } from '../../services/attachments/file-store.ts'
import { findStoredFile, keyOf, needFiles, storeFile, sweepFiles } from '../../services/attachments/stored-files.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const after25Hours = (from: Date) => new Date(from.getTime() + 25 * 3_600_000)

describe('stored files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: Database
  let store: FileStore
  let staging: Staging

  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    store = diskStore(folder.path)
    staging = new Staging(join(folder.path, 'incoming'))
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  async function keep(content: string, now = START): Promise<number> {
    const staged = await staging.receive(Readable.from([Buffer.from(content)]), 1000)
    assert.ok(staged)
    try {
      return await storeFile({ database, store, now }, staged, 'text/plain')
    } finally {
      await staging.drop(staged.path)
    }
  }
  const attach = async (file_id: number) => {
    await database.transaction((tx) => needFiles(tx, [file_id]))
    return builderOf(database).record('attachments', {
      name: 'a',
      slug: 'a',
      kind: 'document',
      attachable_type: 'Document',
      file_id,
    })
  }
  const sweep = (now: Date) => sweepFiles({ database, store, now })
  const contentOf = async (id: number) => {
    const file = await findStoredFile(database, id)
    const stream = file && (await store.read(keyOf(file)))
    return stream && text(stream)
  }

  it('are found by their content, under a name that says so', async () => {
    const id = await keep('once')
    assert.equal(await keep('once'), id)
    assert.equal(await contentOf(id), 'once')
    const file = await findStoredFile(database, id)
    assert.deepEqual(await readdir(join(folder.path, file?.digest.slice(0, 2) ?? '')), [`${file?.digest}-${id}`])
    assert.deepEqual(await readdir(join(folder.path, 'incoming')), [])
  })

  it('that nothing ever referred to are swept after a day, and not before', async () => {
    const id = await keep('an upload that was never finished')
    await sweep(new Date(START.getTime() + 23 * 3_600_000))
    assert.equal(await contentOf(id), 'an upload that was never finished')
    await sweep(after25Hours(START))
    assert.equal(await contentOf(id), undefined)
  })

  it('that something refers to stay', async () => {
    const id = await keep('needed')
    await attach(id)
    for (const now of [START, after25Hours(START), after25Hours(after25Hours(START))]) await sweep(now)
    assert.equal(await contentOf(id), 'needed')
  })

  it('that any column of any table refers to stay', async () => {
    const columns = await database.rows(
      `select conrelid::regclass, attname from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'stored_files'::regclass`,
    )
    assert.ok(columns.length > 2)
    const ids: number[] = []
    const attachment_id = await attach(await keep('read'))
    const ROWS: Readonly<Record<string, Record<string, unknown>>> = {
      attachments: { name: 'a', slug: 'a', kind: 'document', attachable_type: 'Document' },
      pdf_jobs: { attachment_id, due_at: START },
      profile_picture_files: { name: 'face', size: 'micro', format: 'webp' },
    }
    const [owner] = await database.rows(
      "insert into users (login, email, first_name, last_name) values ('owner', 'o@x.test', 'O', 'O') returning id",
    )
    await database.rows("insert into profile_pictures (name, user_id, created_at) values ('face', $1, $2)", [
      owner?.[0],
      START,
    ])
    for (const [table, column] of columns as [string, string][]) {
      const id = await keep(`${table} ${column}`)
      ids.push(id)
      const row = { ...(ROWS[table] ?? { name: column, slug: column }), [column]: id }
      const marks = Object.keys(row).map((_, place) => `$${place + 1}`)
      await database.rows(
        `insert into ${table} (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`,
        Object.values(row),
      )
    }
    for (const now of [START, after25Hours(START), after25Hours(after25Hours(START))]) await sweep(now)
    for (const [place, id] of ids.entries()) assert.equal(await contentOf(id), columns[place]?.join(' '))
  })

  it('that nothing refers to any more stay for a day, for whoever restores an older database', async () => {
    const id = await keep('given up')
    const attachment = await attach(id)
    await sweep(after25Hours(START))
    await database.rows('delete from attachments where id = $1', [attachment])
    const given = new Date(START.getTime() + 100 * 3_600_000)
    await sweep(given)
    await sweep(new Date(given.getTime() + 23 * 3_600_000))
    assert.equal(await contentOf(id), 'given up')
    await sweep(after25Hours(given))
    assert.equal(await contentOf(id), undefined)
  })

  it('that come again while they wait to be swept are spared', async () => {
    const id = await keep('comes again')
    assert.equal(await keep('comes again', after25Hours(START)), id)
    await sweep(after25Hours(START))
    assert.equal(await contentOf(id), 'comes again')
  })

  it('that come again while they are being removed get a place of their own', async () => {
    const id = await keep('crossed')
    let crossed = 0
    const slow: FileStore = {
      ...store,
      async remove(key) {
        crossed = await keep('crossed', after25Hours(START))
        await store.remove(key)
      },
    }
    await sweepFiles({ database, store: slow, now: after25Hours(START) })
    assert.notEqual(crossed, id)
    assert.equal(await contentOf(crossed), 'crossed')
    assert.equal(await findStoredFile(database, id), undefined)
  })

  it('are removed again when the sweep was cut short', async () => {
    const id = await keep('cut short')
    const failing: FileStore = { ...store, remove: () => Promise.reject(new Error('away')) }
    await assert.rejects(sweepFiles({ database, store: failing, now: after25Hours(START) }), /away/)
    await assert.rejects(attach(id), /send it again/)
    await sweep(after25Hours(START))
    assert.equal((await database.rows('select 1 from stored_files where id = $1', [id])).length, 0)
  })

  it('do not go while a transaction is about to need them, whatever the order', async () => {
    const id = await keep('contested')
    let sweeping: Promise<void> | undefined
    await database.transaction(async (tx) => {
      await needFiles(tx, [id])
      sweeping = sweep(after25Hours(START))
      // Until it waits for us.
      for (let waits = false; !waits; ) {
        const [row] = await database.rows("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
        waits = row?.[0] !== '0'
      }
      await tx.rows(
        "insert into attachments (name, slug, kind, attachable_type, file_id) values ('a', 'a', 'document', 'Document', $1)",
        [id],
      )
    })
    await sweeping
    assert.equal(await contentOf(id), 'contested')
  })

  it('that were on their way when a process ended go after a day', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(staging.folder, name)) as [string, string]
    await writeFile(old, 'x')
    await writeFile(young, 'x')
    await utimes(old, START, START)
    await staging.sweep(after25Hours(START))
    assert.deepEqual(await readdir(staging.folder), ['young'])
  })
})
