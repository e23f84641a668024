import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { FormData } from '@campus/test/support/client'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const parts = new FormData()
parts.append('reason', 'none')

/** Bodies that clients send with a DELETE (spec: requests 10). */
const SENT = {
  nothing: {},
  'an empty object': { body: {} },
  'an object': { body: { reason: 'none' } },
  'JSON without a body': { body: '', headers: { 'content-type': 'application/json' } },
  'JSON that is broken': { body: '{"reason":', headers: { 'content-type': 'application/json' } },
  'a form': { body: 'reason=none', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  'a form that is JSON': { body: '{}', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  'a multipart body': { body: parts },
  'a body of another type': { body: 'none', headers: { 'content-type': 'text/plain' } },
} as const

describe('a record is deleted whatever body comes along:', () => {
  for (const [what, options] of Object.entries(SENT)) {
    it(what, async () => {
      const id = await world.build.record('tags', { name: what, kind: 'general' })
      const { status, text } = await world.director.request('DELETE', `/v2/tags/${id}?reason=none`, options)
      assert.equal(status, 204, text)
      assert.equal((await world.director.get(`/v2/tags/${id}`)).status, 404)
    })
  }

  it('but not one that is larger than any body may be', async () => {
    const id = await world.build.record('tags', { name: 'kept', kind: 'general' })
    const body = { reason: 'x'.repeat(1_048_576) }
    assert.equal((await world.director.request('DELETE', `/v2/tags/${id}`, { body })).status, 413)
    assert.equal((await world.director.get(`/v2/tags/${id}`)).status, 200)
  })
})

describe('an action that takes nothing', () => {
  it('is done whatever body comes along', async () => {
    const user_id = await world.build.user()
    const closing = { user_id, kind: 'other', reason: 'test' }
    const { json } = await world.staff.post('/v2/closes', { close: closing })
    for (const [place, options] of Object.values(SENT).entries()) {
      const action = place % 2 === 0 ? 'unclose' : 'close'
      const { status, text } = await world.staff.request('PATCH', `/v2/closes/${json.id}/${action}`, options)
      assert.equal(status, 204, text)
    }
  })
})

describe('what takes a payload', () => {
  it('finds it in the query where the body is an empty object', async () => {
    const query = 'tag[name]=asked&tag[kind]=general'
    const { status, json, text } = await world.director.post(`/v2/tags?${query}`, {})
    assert.deepEqual([status, json.name], [201, 'asked'], text)
  })

  it('is not the same request where the query is another and the body an empty object', async () => {
    const key = { 'idempotency-key': 'an empty object' }
    assert.equal((await world.director.post('/v2/tags?tag[name]=first&tag[kind]=general', {}, key)).status, 201)
    assert.equal((await world.director.post('/v2/tags?tag[name]=second&tag[kind]=general', {}, key)).status, 422)
  })

  it('still refuses a body of another type', async () => {
    const headers = { 'content-type': 'text/plain' }
    assert.equal((await world.director.request('POST', '/v2/tags', { body: 'tag', headers })).status, 400)
  })
})
