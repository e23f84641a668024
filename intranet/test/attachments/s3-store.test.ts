import assert from 'node:assert/strict'
import type { AddressInfo, Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { pdf } from '@campus/test/support/pdf'
import { BUCKET, openStorage, S3 } from '@campus/test/support/s3-storage'
import { attachmentForm, fileOf, filesOf, pathOf, whenAllRead, whenRead } from '@campus/test/support/uploads'
import { s3Store } from '../../services/attachments/s3-store.ts'
import { sweepFiles } from '../../services/attachments/stored-files.ts'

describe('files in S3-compatible storage', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let storage: Server
  let world: World
  let endpoint: string
  let project: number

  before(async () => {
    folder = await temporaryFolder()
    storage = await openStorage(folder.path)
    endpoint = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`
    world = await campus({
      env: {
        CAMPUS_S3_BUCKET: BUCKET,
        CAMPUS_S3_ENDPOINT: endpoint,
        CAMPUS_S3_ACCESS_KEY_ID: S3.accessKeyId,
        CAMPUS_S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
      },
    })
    project = await world.build.record('projects', { name: 'Libft', slug: 'libft' })
  })
  after(async () => {
    await world.close()
    await new Promise((resolve) => storage.close(resolve))
    await folder.remove()
  })

  const attach = (bytes: Buffer) =>
    world.director.post(
      `/v2/projects/${project}/attachments`,
      attachmentForm({ kind: 'pdf' }, { name: 'Subject', attachable_type: 'pdf', pdf: fileOf(bytes, 'subject.pdf') }),
    )

  it('are taken in, read, drawn and given back, whole and in part; none stays here', async () => {
    const bytes = pdf({ pages: 12 })
    const { status, json, text } = await attach(bytes)
    assert.equal(status, 201, text)
    const record = await whenRead(world.visitor, json.id)
    assert.equal(record.page_count, 12)
    assert.deepEqual(await filesOf(world), [])
    const whole = await world.anonymous.get(pathOf(world, record.url))
    assert.deepEqual([whole.status, whole.headers.get('content-length')], [200, String(bytes.length)])
    const part = await world.anonymous.get(pathOf(world, record.url), { range: 'bytes=0-7' })
    assert.deepEqual([part.status, part.text], [206, '%PDF-1.7'])
    const thumb = await world.anonymous.get(pathOf(world, record.thumb_url))
    assert.deepEqual([thumb.status, thumb.headers.get('content-type')], [200, 'image/png'])
  })

  it('are swept there', async () => {
    const { json } = await attach(pdf({ pages: 1, text: 'to be swept' }))
    await whenAllRead(world)
    const store = s3Store({ bucket: BUCKET, region: 'us-east-1', endpoint, ...S3 })
    const [row] = await world.database.rows(
      'select digest, f.id from attachments a join stored_files f on f.id = a.file_id where a.id = $1',
      [json.id],
    )
    const key = `${row?.[0]?.slice(0, 2)}/${row?.[0]}-${row?.[1]}`
    assert.ok(await store.read(key))
    assert.equal((await world.director.delete(`/v2/attachments/${json.id}`)).status, 204)
    const hoursLater = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000)
    await sweepFiles({ database: world.database, store, now: hoursLater(1) })
    assert.ok(await store.read(key))
    await sweepFiles({ database: world.database, store, now: hoursLater(26) })
    assert.equal(await store.read(key), undefined)
    await store.remove(key)
  })

  it('refuse with 503 while it is away, keep nothing, and say nothing of it', async () => {
    const { json } = await attach(pdf({ pages: 1, text: 'before' }))
    const { url } = await whenRead(world.visitor, json.id)
    const port = (storage.address() as AddressInfo).port
    ;(storage as Server & { closeAllConnections(): void }).closeAllConnections()
    await new Promise((resolve) => storage.close(resolve))
    const count = async () => (await world.database.rows('select count(*) from attachments'))[0]?.[0]
    const before = await count()
    for (const answer of [
      await attach(pdf({ pages: 1, text: 'during' })),
      await world.anonymous.get(pathOf(world, url)),
    ]) {
      assert.equal(answer.status, 503)
      assert.match(answer.json.message, /^The storage of the files cannot be reached right now/)
      assert.ok(!answer.text.includes(String(port)) && !answer.text.includes(S3.secretAccessKey))
    }
    assert.equal(await count(), before)
    assert.deepEqual(await filesOf(world), [])
    storage = await openStorage(folder.path, port)
    assert.equal((await attach(pdf({ pages: 1, text: 'during' }))).status, 201)
  })
})
