import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'

let world: World
let endpoint: number
let user: number
before(async () => {
  world = await campus()
  endpoint = await world.build.record('endpoints', { url: 'https://127.0.0.1:9/hooks', active: true })
  user = await world.build.user()
})
after(() => world.close())

const url = 'https://webservice.test/users/new'
const report = (values: object) => world.director.post(`/v2/endpoints/${endpoint}/callback`, values)

describe('what a webservice answered to an earlier call', () => {
  it('is reported, and read by staff below the endpoint', async () => {
    const initial_data = { login: 'ada', campus: [{ id: 1 }] }
    const { status, json, text } = await report({ url, user_id: user, initial_data, response_data: { status: 'ok' } })
    assert.equal(status, 200, text)
    const { id, created_at, updated_at, ...said } = json
    assert.equal(created_at, world.clock.now().toISOString())
    assert.deepEqual(said, {
      endpoint_id: endpoint,
      user_id: user,
      url,
      initial_data,
      response_data: { status: 'ok' },
    })
    assert.deepEqual((await world.staff.get(`/v2/endpoints/${endpoint}/callbacks`)).json, [json])
    assert.deepEqual((await world.staff.get(`/v2/callbacks/${id}`)).json, json)
    assert.equal((await world.visitor.get('/v2/callbacks')).status, 403)
  })

  it('is kept without the secrets that were sent, wherever they come up', async () => {
    const secret = 'correct horse battery'
    const { status, text } = await report({
      url: `${url}?for=${encodeURIComponent(secret)}`,
      user_id: user,
      initial_data: { user: { login: 'ada', password: secret }, key: 'the shared key', meta: { group: 'blue-team' } },
      response_data: { error: `cannot set ${secret}`, echo: { key: 'the shared key' }, group: 'blue-team' },
    })
    assert.equal(status, 200, text)
    const stored = await world.database.rows('select callbacks::text from callbacks order by id desc limit 1')
    for (const word of [secret, encodeURIComponent(secret), 'the shared key', 'blue-team', 'password']) {
      assert.ok(!String(stored[0]?.[0]).includes(word), word)
    }
    assert.match(text, /"error":"cannot set \[redacted\]"/)
    assert.match(text, /"login":"ada"/)
  })

  it('is not kept where a secret is as short as any text', async () => {
    const data = { initial_data: { password: 'ab' }, response_data: { said: 'about' } }
    const { json } = await report({ url, user_id: user, ...data })
    assert.match(json.response_data.error, /^\(not stored/)
  })

  it('names all that it must', async () => {
    const { status, json } = await report({ initial_data: 'x', response_data: [] })
    assert.deepEqual(
      [status, json.errors],
      [
        422,
        {
          url: ["can't be blank"],
          user_id: ["can't be blank"],
          initial_data: ['is not an object'],
          response_data: ['is not an object'],
        },
      ],
    )
    const unknown = await report({ url, user_id: 999_999, initial_data: {}, response_data: {} })
    assert.deepEqual([unknown.status, unknown.json.errors], [422, { user_id: ['must exist'] }])
  })
})
