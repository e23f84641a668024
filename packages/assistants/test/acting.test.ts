import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assistantOf, callMessage, post } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'

const EVERY = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']

let world: World
before(async () => {
  world = await campus({ seeded: true })
})
after(() => world.close())

/** Staff, whose token has the scope act. */
const actor = async () =>
  assistantOf(world, {
    token: (await world.caller({ roles: ['Advanced Staff', 'Advanced Tutor'], scopes: [...EVERY, 'act'] })).token,
  })

describe('without the scope act', () => {
  for (const [name, given] of [
    ['create_record', { resource: 'tags', values: { name: 'New' } }],
    ['update_record', { resource: 'tags', id: 1, changes: { name: 'Other' } }],
    ['delete_record', { resource: 'tags', id: 1 }],
    ['perform_action', { resource: 'users', id: 1, action: 'alumnize' }],
  ] as const) {
    test(`${name} is refused whatever else the token may, and nothing is written`, async () => {
      const before = await world.database.rows('select md5(string_agg(tags::text, chr(10) order by id)) from tags', [])
      const { status, headers, text } = await post(world, callMessage(name, given), {
        authorization: `Bearer ${world.director.token}`,
      })
      assert.equal(status, 403, text)
      assert.equal(
        headers.get('www-authenticate'),
        [
          'Bearer realm="Campus Intranet API"',
          'error="insufficient_scope"',
          'error_description="Acting needs the scope act"',
          `scope="${EVERY.join(' ')} act"`,
          `resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp"`,
        ].join(', '),
      )
      const then = await world.database.rows('select md5(string_agg(tags::text, chr(10) order by id)) from tags', [])
      assert.deepEqual(then, before)
    })
  }
})

describe('with the scope act', () => {
  test('records are created, changed and deleted as by the API', async () => {
    const assistant = await actor()
    const made = await assistant.call('create_record', { resource: 'tags', values: { name: 'Assisted' } })
    assert.equal(made.isError, false, JSON.stringify(made.data))
    const { id } = made.data.record
    assert.equal((await world.director.get(`/v2/tags/${id}`)).json.name, 'Assisted')
    const changed = await assistant.call('update_record', { resource: 'tags', id, changes: { name: 'Changed' } })
    assert.equal(changed.data.record.name, 'Changed')
    const gone = await assistant.call('delete_record', { resource: 'tags', id })
    assert.deepEqual(gone.data, { done: true })
    assert.equal((await world.director.get(`/v2/tags/${id}`)).status, 404)
    assert.equal((await assistant.call('delete_record', { resource: 'tags', id })).data.status, 404)
    await assistant.close()
  })

  test('a creation with the same key is done once', async () => {
    const assistant = await actor()
    const given = { resource: 'tags', values: { name: 'Once' }, idempotency_key: 'key-of-mine' }
    const [one, other] = [await assistant.call('create_record', given), await assistant.call('create_record', given)]
    assert.deepEqual(other.data, one.data)
    const [row] = await world.database.rows("select count(*) from tags where name = 'Once'", [])
    assert.equal(Number(row?.[0]), 1)
    await assistant.close()
  })

  test('records are created below others, and actions with a name of their own are performed', async () => {
    const assistant = await actor()
    const user = await world.build.user({ login: 'acted' })
    const given = { resource: 'closes', within: [{ resource: 'users', id: 'acted' }] }
    const values = { kind: 'other', reason: 'Asked for' }
    const close = await assistant.call('create_record', { ...given, values })
    assert.equal(close.isError, false, JSON.stringify(close.data))
    assert.equal(close.data.record.user.id, user)
    const { id } = close.data.record
    const lifted = await assistant.call('perform_action', { resource: 'closes', id, action: 'unclose' })
    assert.deepEqual(lifted.data, { done: true })
    assert.equal((await world.director.get(`/v2/closes/${id}`)).json.state, 'unclose')
    const points = await assistant.call('perform_action', {
      resource: 'users',
      id: 'acted',
      action: 'correction_points/add',
      payload: { amount: 2, reason: 'Kindness' },
    })
    assert.equal(points.isError, false, JSON.stringify(points.data))
    assert.equal((await world.director.get('/v2/users/acted')).json.correction_point, 6)
    await assistant.close()
  })

  test('what the API refuses is refused in its words', async () => {
    const assistant = await actor()
    const { data, isError } = await assistant.call('create_record', {
      resource: 'closes',
      values: { kind: 'nonsense' },
    })
    const plain = await world.director.post('/v2/closes', { close: { kind: 'nonsense' } })
    assert.ok(isError)
    assert.deepEqual(data, { status: 422, ...plain.json })
    await assistant.close()
  })

  test('is no right by itself: roles, other scopes and own records count as ever', async () => {
    const [mine, other] = [await world.build.user({ login: 'mine' }), await world.build.user({ login: 'someone' })]
    const token = (await world.caller({ scopes: ['public', 'profile', 'act'], user: mine })).token
    const assistant = await assistantOf(world, { token })
    const closes = await assistant.call('create_record', {
      resource: 'closes',
      values: { user_id: other, kind: 'other', reason: 'Mischief' },
    })
    assert.equal(closes.data.status, 403)
    const update = await assistant.call('update_record', {
      resource: 'users',
      id: other,
      changes: { usual_first_name: 'Nobody' },
    })
    assert.equal(update.data.status, 403)
    await assistant.close()
  })

  test('what is audited has the application and the address that the call came from', async () => {
    const assistant = await actor()
    const user = await world.build.user({ login: 'audited' })
    const values = { user_id: user, kind: 'other', reason: 'For the record' }
    const made = await assistant.call('create_record', { resource: 'closes', values })
    assert.equal(made.isError, false, JSON.stringify(made.data))
    const [row] = await world.database.rows(
      'select kind, address, application_id from audit_events where subject_id = $1 order by id desc limit 1',
      [user],
    )
    assert.match(String(row?.[1]), /127\.0\.0\.1|::1/)
    assert.ok(row?.[2] !== null)
    await assistant.close()
  })
})
