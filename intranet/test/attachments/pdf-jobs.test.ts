import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { DatabaseAway } from '@campus/engine/database/errors'
import type { Counted } from '@campus/engine/http/caller'
import { Staging } from '@campus/engine/http/staging'
import { testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { encryptedPdf, pdf, slowPdf } from '@campus/test/support/pdf'
import { builderOf } from '@campus/test/support/row-builder'
import { testClock } from '@campus/test/support/test-clock'
import { diskStore } from '../../services/attachments/disk-store.ts'
import type { FileStore } from '../../services/attachments/file-store.ts'
import { extendPdfLease, finishPdfJob, leasePdfJob, OwnerTurns, queuePdf } from '../../services/attachments/pdf-jobs.ts'
import { storeFile } from '../../services/attachments/stored-files.ts'
import { workOnPdfs } from '../../services/attachments/work-on-pdfs.ts'

describe('the reading of PDFs', () => {
  const clock = testClock(new Date('2026-03-02T10:00:00.000Z'))
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: Database
  let store: FileStore
  let staging: Staging
  let stops: (() => Promise<void>)[] = []

  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    store = diskStore(folder.path)
    staging = new Staging(join(folder.path, 'incoming'))
  })
  afterEach(async () => {
    for (const stop of stops) await stop()
    stops = []
    await database.rows('delete from pdf_jobs')
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  async function attach(
    bytes: Buffer,
    caller: Counted = { resourceOwnerId: 1, application: { id: 1 } },
  ): Promise<number> {
    const staged = await staging.receive(Readable.from([bytes]), Number.POSITIVE_INFINITY)
    assert.ok(staged)
    const file_id = await storeFile({ database, store, now: clock.now() }, staged, 'application/pdf')
    const record = { name: 'a', slug: 'a', kind: 'pdf', attachable_type: 'Pdf', file_id, pdf_processing: true }
    const attachmentId = await builderOf(database).record('attachments', record)
    await queuePdf(database, { attachmentId, fileId: file_id, caller, now: clock.now() })
    return attachmentId
  }
  const work = (more: Partial<Parameters<typeof workOnPdfs>[0]> = {}) => {
    const failures: string[] = []
    const onError = ({ error }: { error: unknown }) => failures.push(String((error as Error).message))
    const stop = workOnPdfs({ database, clock, store, staging, onError, ...more })
    stops.push(stop)
    return { stop, failures }
  }
  const stateOf = async (id: number) => {
    const [row] = await database.rows(
      'select pdf_processing, page_count, thumb_id is not null from attachments where id = $1',
      [id],
    )
    return row?.join(' ')
  }
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const ended = (id: number) => until(async () => (await stateOf(id))?.startsWith('f') ?? false)
  const isIdle = async () => (await database.rows('select 1 from pdf_jobs')).length === 0

  it('records the count and the thumbnail, and ends', async () => {
    const id = await attach(pdf({ pages: 4 }))
    work()
    await ended(id)
    assert.equal(await stateOf(id), 'f 4 t')
    assert.ok(await isIdle())
  })

  for (const [what, bytes] of [
    ['broken', Buffer.from('%PDF-1.7\nnothing')],
    ['encrypted', encryptedPdf()],
  ] as const) {
    it(`of a ${what} one ends without pages, and goes on with the next`, async () => {
      const [bad, good] = [await attach(bytes), await attach(pdf({ pages: 2, text: what }))]
      const { failures } = work()
      await ended(good)
      assert.equal(await stateOf(bad), 'f 0 f')
      assert.deepEqual(failures, ['the PDF is unreadable'])
    })
  }

  it('of one that costs too much ends, after a second chance if nothing is known of it', async () => {
    const id = await attach(slowPdf())
    const [row] = await database.rows('select count(*) from attachments where pdf_processing')
    assert.equal(row?.[0], '1')
    const { failures } = work({ limits: { seconds: 0.01, memoryBytes: 512 * 1_048_576 } })
    await until(
      async () => (await database.rows('select 1 from pdf_jobs where tries = 1 and lease is null')).length === 1,
    )
    assert.equal(await stateOf(id), 't 0 f')
    clock.advance(6)
    await ended(id)
    assert.equal(await stateOf(id), 'f 0 f')
    assert.deepEqual(failures, ['the PDF is too costly', 'the PDF is too costly'])
  })

  it('waits for a storage that is away, longer every time, and gives up at last', async () => {
    const id = await attach(pdf({ pages: 3, text: 'away' }))
    const { failures } = work({ store: { ...store, read: () => Promise.reject(new Error('away')) } })
    for (const [tries, seconds] of [
      [1, 5],
      [2, 60],
      [3, 600],
      [4, 3600],
    ] as const) {
      await until(async () => {
        const due = new Date(clock.now().getTime() + seconds * 1000).toISOString()
        const rows = await database.rows('select 1 from pdf_jobs where tries = $1 and due_at = $2', [tries, due])
        return rows.length === 1
      })
      assert.equal(await stateOf(id), 't 0 f')
      clock.advance(seconds + 1)
    }
    await ended(id)
    assert.equal(await stateOf(id), 'f 0 f')
    assert.equal(failures.length, 4)
  })

  it('is begun again when the database is back, and being away counts as no attempt', async () => {
    const id = await attach(pdf({ pages: 3, text: 'outage' }))
    let outages = 0
    const transaction: typeof database.transaction = (work) => {
      outages += 1
      return outages <= 6 ? Promise.reject(new DatabaseAway('it is silent')) : database.transaction(work)
    }
    const { failures } = work({ database: { ...database, transaction } })
    await ended(id)
    assert.equal(await stateOf(id), 'f 3 t')
    assert.deepEqual([outages, failures], [7, []])
  })

  it('is done once, however many are at it', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map((pages) => attach(pdf({ pages, text: 'shared' }))))
    let reads = 0
    const counting: FileStore = {
      ...store,
      read(key, range) {
        reads += 1
        return store.read(key, range)
      },
    }
    work({ store: counting })
    work({ store: counting })
    for (const id of ids) await ended(id)
    assert.deepEqual(await Promise.all(ids.map(stateOf)), ['f 1 t', 'f 2 t', 'f 3 t', 'f 4 t'])
    assert.equal(reads, 4)
  })

  it('is taken over from a process that ended, once its lease has expired', async () => {
    const id = await attach(pdf({ pages: 6 }))
    const parts = { database, clock }
    const lease = () => leasePdfJob(parts, new OwnerTurns())
    /** Leases expire by the clock of the database. */
    const expire = (seconds: number) =>
      database.rows('update pdf_jobs set leased_until = leased_until - make_interval(secs => $1)', [seconds])
    const first = await lease()
    assert.equal(first?.attachmentId, id)
    assert.equal(await lease(), undefined)
    await expire(9)
    await extendPdfLease(parts, first)
    await expire(5)
    assert.equal(await lease(), undefined)
    await expire(5)
    const second = await lease()
    assert.deepEqual([second?.attachmentId, second?.attempts], [id, 2])
    // The first was only slow.
    await finishPdfJob(parts, first, { pageCount: 99, thumbId: null })
    assert.equal(await stateOf(id), 't 0 f')
    assert.ok(second)
    await finishPdfJob(parts, second, { pageCount: 6, thumbId: null })
    assert.equal(await stateOf(id), 'f 6 f')
  })

  it('is shared fairly between people: the other person comes second, whoever queued how many before', async () => {
    const own: number[] = []
    for (let pages = 1; pages <= 3; pages += 1)
      own.push(
        await attach(pdf({ pages, text: 'own' }), { resourceOwnerId: null, application: { id: pages, ownerId: 7 } }),
      )
    clock.advance(1)
    const other = await attach(pdf({ pages: 4, text: 'other' }), { resourceOwnerId: null, application: { id: 7 } })
    const parts = { database, clock }
    const turns = new OwnerTurns()
    const order: (number | undefined)[] = []
    for (let at = 0; at < 4; at += 1) {
      const job = await leasePdfJob(parts, turns)
      assert.ok(job)
      order.push(job.attachmentId)
      await finishPdfJob(parts, job, { pageCount: 1, thumbId: null })
    }
    assert.deepEqual(order, [own[0], other, own[1], own[2]])
  })

  it('is done for one file of a person at a time, by all processes together', async () => {
    await attach(pdf({ pages: 1, text: 'first' }))
    await attach(pdf({ pages: 2, text: 'second' }))
    const other = await attach(pdf({ pages: 3, text: 'third' }), { resourceOwnerId: 2, application: { id: 1 } })
    const parts = { database, clock }
    assert.ok(await leasePdfJob(parts, new OwnerTurns()))
    assert.equal((await leasePdfJob(parts, new OwnerTurns()))?.attachmentId, other)
    assert.equal(await leasePdfJob(parts, new OwnerTurns()), undefined)
  })

  it('of one that has ended five processes is over', async () => {
    const id = await attach(pdf({ pages: 6, text: 'fatal' }))
    await database.rows('update pdf_jobs set tries = 4')
    work({ store: { ...store, read: () => assert.fail('it was read again') } })
    await ended(id)
    assert.equal(await stateOf(id), 'f 0 f')
  })

  it('is released at once when the service stops, and not counted as a try', async () => {
    const id = await attach(slowPdf())
    const { stop } = work()
    await until(async () => (await database.rows('select 1 from pdf_jobs where tries = 1')).length === 1)
    await stop()
    assert.deepEqual(await database.rows('select tries, lease from pdf_jobs where attachment_id = $1', [id]), [
      ['0', null],
    ])
    assert.equal(await stateOf(id), 't 0 f')
  })
})
