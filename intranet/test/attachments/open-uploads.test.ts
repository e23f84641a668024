/** The limit on concurrent uploads of one person applies to all applications together. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import { MAX_UPLOADS, OpenUploads } from '@campus/engine/http/open-uploads'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { endConnection, endPipeline, resetStream } from '@campus/test/support/disconnecting-clients'
import { signedInOf } from '@campus/test/support/people'
import { until } from '@campus/test/support/until'
import { attachmentForm, fileOf, filesOf } from '@campus/test/support/uploads'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Response } from 'undici'

const GIB = 1_073_741_824
const PICTURES_PER_DAY = 100

describe('the uploads of one person', () => {
  let world: World
  before(async () => {
    world = await campus()
    await world.build.record('projects', { name: 'Libft', slug: 'libft' })
  })
  after(() => world.close())

  const path = '/v2/projects/libft/attachments'
  const form = () =>
    attachmentForm({ kind: 'code' }, { attachable_type: 'code', name: 'a', code: fileOf('text', 'a.txt') })
  const tutorOf = (user: number) => world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'], user })

  /** Sends a body except its end. Returns a function that sends the end and returns the status. */
  async function begin({ token }: Client) {
    const body = Buffer.from(await new Response(form()).arrayBuffer())
    const boundary = String(body.subarray(2, body.indexOf('\r\n')))
    const { promise, resolve } = Promise.withResolvers<void>()
    async function* parts() {
      yield body.subarray(0, -20)
      await promise
      yield body.subarray(-20)
    }
    const answer = world.agent.request({
      origin: world.url,
      path,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: parts() as never,
    })
    return async () => {
      resolve()
      const { statusCode, body: text } = await answer
      await text.dump()
      return statusCode
    }
  }

  it(`are ${MAX_UPLOADS} at a time at most, however many applications they use, and none of them is lost`, async () => {
    const [user, other] = [await world.build.user(), await world.build.user()]
    const [first, second] = [await tutorOf(user), await tutorOf(user)]
    const open: (() => Promise<number>)[] = []
    for (let at = 0; at < MAX_UPLOADS; at += 1) open.push(await begin(at % 2 ? first : second))
    await until(async () => (await filesOf(world)).length === MAX_UPLOADS)
    for (const client of [first, second]) {
      const refused = await client.post(path, form())
      assert.equal(refused.status, 429, refused.text)
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    assert.equal((await (await tutorOf(other)).post(path, form())).status, 201)
    const statuses = await Promise.all(open.map((end) => end()))
    assert.deepEqual(statuses, Array(MAX_UPLOADS).fill(201))
    await until(async () => (await first.post(path, form())).status === 201)
  })

  it('are limited to 1 GiB together, or to the largest body that the route accepts', () => {
    const uploads = new OpenUploads()
    const open = (id: number, length: number | undefined, maxBodyBytes: number) => {
      const reply = { raw: new EventEmitter(), request: { raw: { socket: new EventEmitter() } } }
      const headers = length === undefined ? {} : { 'content-length': String(length) }
      const request = { caller: { resourceOwnerId: id, application: {} }, headers } as unknown as FastifyRequest
      return { upload: uploads.open(request, reply as unknown as FastifyReply, maxBodyBytes), reply }
    }
    const isRefused = (error: unknown) => error instanceof HttpError && error.status === 429
    const announced = open(1, GIB - 10, GIB)
    assert.throws(() => open(1, 11, GIB), isRefused)
    open(2, 11, GIB)
    open(1, 11, 2 * GIB)
    assert.equal(open(1, 11, 10).upload, undefined, 'too large for its route, which its reader refuses')
    announced.reply.raw.emit('close')
    const chunked = open(1, undefined, GIB)
    assert.equal(chunked.upload?.received(GIB - 11), undefined)
    assert.ok(isRefused(chunked.upload?.received(GIB - 10)))
    chunked.reply.raw.emit('close')
    assert.equal(open(1, undefined, GIB).upload?.received(GIB - 11), undefined)
  })

  it('stop counting when their client disconnects at any time', async () => {
    const tutor = await tutorOf(await world.build.user())
    const body = Buffer.from(await new Response(form()).arrayBuffer())
    const boundary = String(body.subarray(2, body.indexOf('\r\n')))
    const headers = {
      authorization: `Bearer ${tutor.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    }
    const uploads = MAX_UPLOADS + 2
    for (let milliseconds = 0; milliseconds <= 10; milliseconds += 2)
      for (const disconnect of [resetStream, endConnection, endPipeline])
        await Promise.all(
          Array.from({ length: uploads }, () => disconnect(world, { path, headers, body, milliseconds })),
        )
    const uploadAll = () =>
      Promise.all(Array.from({ length: MAX_UPLOADS }, async () => (await tutor.post(path, form())).status))
    await until(async () => (await uploadAll()).every((status) => status === 201))
  })

  it('are not called malformed if the folder for files is lost', async () => {
    const tutor = await tutorOf(await world.build.user())
    const { files } = world.config
    await rename(files, `${files}-moved`)
    await writeFile(files, '')
    const answer = await tutor.post(path, form())
    await rm(files)
    await rename(`${files}-moved`, files)
    assert.equal(answer.status, 500, answer.text)
    assert.equal((await tutor.post(path, form())).status, 201)
  })

  it('leave no file if the token of the form is wrong', async () => {
    const { browser } = await signedInOf(world)
    const earlier = await filesOf(world)
    const { status } = await browser.upload('/profile/picture', { csrf_token: 'wrong', picture: fileOf('x', 'a.png') })
    assert.equal(status, 403)
    assert.deepEqual(await filesOf(world), earlier)
  })

  it(`include at most ${PICTURES_PER_DAY} profile pictures a day`, async () => {
    const { browser } = await signedInOf(world)
    const statuses: number[] = []
    for (let at = 0; at <= PICTURES_PER_DAY; at += 1)
      statuses.push((await browser.upload('/profile/picture', { picture: fileOf('no picture', 'a.png') })).status)
    assert.deepEqual(statuses.slice(0, -1), Array(PICTURES_PER_DAY).fill(422))
    assert.equal(statuses.at(-1), 429)
  })
})
