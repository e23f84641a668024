import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'
const NO_VOTES = { upvote: 0, downvote: 0, trollvote: 0, problem: 0 }
const NOT_VOTED = { upvote: false, downvote: false, trollvote: false, problem: false }

type Message = { readonly id: number; readonly content: string; readonly replies: readonly Message[] }

describe('messages', () => {
  let world: World
  let ada: Client
  let bob: Client
  let moderator: Client
  let adaId: number
  let bobId: number
  let topic: number

  const person = (user: number, roles: readonly string[] = []) =>
    world.caller({ user, roles, scopes: ['public', 'forum'] })
  const newTopic = async (values = {}) =>
    world.build.record('topics', {
      name: 'Norm',
      author_id: adaId,
      language_id: await world.build.language(),
      ...values,
    })
  const message = (values = {}) =>
    world.build.record('messages', { author_id: adaId, content: 'Hello', messageable_id: topic, ...values })
  const write = async (caller: Client, path: string, values: object): Promise<number> => {
    const { status, json, text } = await caller.post(path, { message: { content: 'words', ...values } })
    assert.equal(status, 201, text)
    return json.id
  }
  const get = async (path: string) => (await ada.get(path)).json
  const idsOf = async (path: string) => ((await get(path)) as Message[]).map(({ id }) => id)
  const rows = async () => Number((await world.database.rows('select count(*) from messages'))[0]?.[0])

  before(async () => {
    world = await campus()
    adaId = await world.build.user({ login: 'ada' })
    bobId = await world.build.user({ login: 'bob' })
    ada = await person(adaId)
    bob = await person(bobId)
    moderator = await person(await world.build.user({ login: 'mod' }), ['Moderator'])
  })
  beforeEach(async () => {
    world.clock.set(NOW)
    topic = await newTopic()
  })
  after(() => world.close())

  it('are written below a topic by somebody whom a token with the scope forum stands for', async () => {
    const path = `/v2/topics/${topic}/messages`
    // Clients have always sent the author as text.
    const created = await ada.post(path, { message: { author_id: String(adaId), content: '**Hello**' } })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json
    const author = (await get(`/v2/users?filter[id]=${adaId}`))[0]
    assert.deepEqual(created.json, {
      id,
      author,
      content: '**Hello**',
      content_html: null,
      replies: [],
      created_at: NOW,
      updated_at: NOW,
      parent_id: null,
      is_root: true,
      messageable_id: topic,
      messageable_type: 'Topic',
      votes_count: NO_VOTES,
      user_votes: NOT_VOTED,
      readings: 0,
    })
    assert.equal(created.headers.get('location'), `${world.url}/v2/messages/${id}`)
    assert.deepEqual(await get(`/v2/messages/${id}`), created.json)
    assert.deepEqual(await get(`${path}.json?access_token=${ada.token}`), [created.json])

    world.clock.advance(60)
    assert.equal((await ada.patch(`/v2/messages/${id}`, { message: { content: 'Goodbye' } })).status, 204)
    const updated_at = '2026-03-02T10:01:00.000Z'
    assert.deepEqual(await get(`/v2/messages/${id}`), { ...created.json, content: 'Goodbye', updated_at })
    assert.equal((await ada.put(`/v2/messages/${id}?message[content]=By%20query`)).status, 204)
    assert.equal((await get(`/v2/messages/${id}`)).content, 'By query')

    assert.equal((await ada.delete(`/v2/messages/${id}`)).status, 204)
    assert.equal((await ada.get(`/v2/messages/${id}`)).status, 404)
  })

  it('have the author whom the token stands for, unless a moderator names another', async () => {
    const path = `/v2/topics/${topic}/messages`
    const author = async (id: number) => (await get(`/v2/messages/${id}`)).author.login
    assert.equal(await author(await write(ada, path, {})), 'ada')
    assert.equal(await author(await write(ada, path, { author_id: '' })), 'ada')
    assert.equal(await author(await write(moderator, path, { author_id: bobId })), 'bob')
    assert.equal(await author(await write(moderator, path, {})), 'mod')
    const before = await rows()
    const forged = await ada.post(path, { message: { content: 'I am Bob', author_id: bobId } })
    assert.equal(forged.status, 403)
    const nobody = await world.caller({ roles: ['Moderator'], scopes: ['public', 'forum'] })
    const refused = await nobody.post(path, { message: { content: 'Who am I?' } })
    assert.deepEqual([refused.status, refused.json.errors], [422, { author_id: ["can't be blank"] }])
    assert.equal(await rows(), before)
  })

  it('need the scope forum, to read and to write', async () => {
    const id = await message()
    const outsider = await world.caller({ user: adaId, roles: ['Moderator'] })
    for (const refused of [
      await outsider.get('/v2/messages'),
      await outsider.get(`/v2/topics/${topic}/messages`),
      await outsider.get(`/v2/messages/${id}`),
      await outsider.post(`/v2/topics/${topic}/messages`, { message: { content: 'x' } }),
      await outsider.patch(`/v2/messages/${id}`, { message: { content: 'x' } }),
      await outsider.delete(`/v2/messages/${id}`),
    ]) {
      assert.equal(refused.status, 403)
      assert.match(refused.json.message, /\[forum\]/)
      assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/)
    }
  })

  it('are changed and deleted by their author or a moderator', async () => {
    const id = await message()
    const application = await world.caller({ scopes: ['public', 'forum'] })
    for (const caller of [bob, application]) {
      assert.equal((await caller.patch(`/v2/messages/${id}`, { message: { content: 'x' } })).status, 403)
      assert.equal((await caller.delete(`/v2/messages/${id}`)).status, 403)
    }
    assert.equal((await application.post(`/v2/topics/${topic}/messages`, { message: { content: 'x' } })).status, 403)
    assert.equal((await get(`/v2/messages/${id}`)).content, 'Hello')
    assert.equal((await moderator.patch(`/v2/messages/${id}`, { message: { content: 'Moderated' } })).status, 204)
    assert.equal((await get(`/v2/messages/${id}`)).content, 'Moderated')
    assert.equal((await moderator.delete(`/v2/messages/${id}`)).status, 204)
  })

  it('hang below what they reply to, to any depth, and the topic lists the first of each thread', async () => {
    const root = await write(ada, `/v2/topics/${topic}/messages`, {})
    const reply = await write(bob, `/v2/topics/${topic}/messages/${root}/messages`, {})
    const second = await write(ada, `/v2/messages/${root}/messages`, {})
    const deep = await write(ada, `/v2/topics/${topic}/messages`, { parent_id: String(reply) })
    const other = await write(bob, '/v2/messages', { messageable_id: topic, messageable_type: 'Topic' })

    const shape = ({ id, replies }: Message): unknown => [id, replies.map(shape)]
    const thread = [
      root,
      [
        [reply, [[deep, []]]],
        [second, []],
      ],
    ]
    const shapes = async (path: string) => ((await get(path)) as Message[]).map(shape)
    assert.deepEqual(await shapes(`/v2/topics/${topic}/messages`), [thread, [other, []]])
    assert.deepEqual(shape(await get(`/v2/messages/${root}`)), thread)
    assert.deepEqual(await shapes(`/v2/messages/${root}/messages`), [
      [reply, [[deep, []]]],
      [second, []],
    ])
    assert.deepEqual(await idsOf(`/v2/topics/${topic}/messages/${reply}/messages`), [deep])
    assert.deepEqual(await idsOf(`/v2/messages?filter[messageable_id]=${topic}`), [root, reply, second, deep, other])
    const [first] = (await get(`/v2/messages/${root}`)).replies
    assert.deepEqual(first, await get(`/v2/messages/${reply}`))
    assert.deepEqual([first.parent_id, first.is_root, first.author.login], [root, false, 'bob'])
    const { headers } = await ada.get(`/v2/topics/${topic}/messages`)
    assert.equal(headers.get('x-total'), '2')
  })

  it('reply only to what is there, in the same topic', async () => {
    const elsewhere = await message({ messageable_id: await newTopic() })
    const deleted = await message({ deleted_at: NOW, content: '' })
    const before = await rows()
    for (const [values, errors] of [
      [{ parent_id: elsewhere }, { parent_id: ['is of another topic'] }],
      [{ parent_id: deleted }, { parent_id: ['has been deleted'] }],
      [{ parent_id: 2_000_000 }, { parent_id: ['must exist'] }],
      [{ content: ' ' }, { content: ["can't be blank"] }],
      [{ colour: 'red' }, { colour: ['is not accepted'] }],
      [{ reference_id: 2_000_000 }, { reference_id: ['must exist'] }],
    ]) {
      const refused = await ada.post(`/v2/topics/${topic}/messages`, { message: { content: 'x', ...values } })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(refused.json.errors, errors)
    }
    const homeless = await ada.post('/v2/messages', { message: { content: 'x' } })
    assert.deepEqual(homeless.json.errors, { messageable_id: ["can't be blank"] })
    assert.equal((await ada.post('/v2/topics/2000000/messages', { message: { content: 'x' } })).status, 404)
    assert.equal(await rows(), before)
  })

  it('hang at most fifty below each other', async () => {
    let last = await message()
    for (let depth = 2; depth <= 50; depth += 1) last = await message({ parent_id: last })
    const refused = await ada.post(`/v2/messages/${last}/messages`, { message: { content: 'x' } })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['parent_id']])
    assert.equal(JSON.stringify(await get(`/v2/topics/${topic}/messages`)).split('"replies":').length - 1, 50)
  })

  it('that are replied to and deleted at once leave no reply without its thread', async () => {
    const id = await message()
    const [reply] = await Promise.all([
      bob.post(`/v2/messages/${id}/messages`, { message: { content: 'x' } }),
      ada.delete(`/v2/messages/${id}`),
    ])
    assert.ok([201, 404, 422].includes(reply.status))
    const left = await get(`/v2/messages?filter[messageable_id]=${topic}`)
    assert.equal(left.length, reply.status === 201 ? 2 : 0)
  })

  it('cannot be moved to another topic or thread', async () => {
    const id = await message()
    const other = await newTopic()
    const refused = await moderator.patch(`/v2/messages/${id}`, { message: { messageable_id: other } })
    assert.deepEqual([refused.status, refused.json.errors], [422, { messageable_id: ['cannot be changed'] }])
    const same = { messageable_id: topic, parent_id: '', is_root: true, messageable_type: 'Topic', content: 'kept' }
    assert.equal((await ada.patch(`/v2/messages/${id}`, { message: same })).status, 204)
  })

  it('leave what only moderators set to moderators', async () => {
    const id = await message()
    for (const values of [{ readings_count: 9 }, { deleted_at: NOW }, { write_at: NOW }]) {
      const [name] = Object.keys(values) as [string]
      const refused = await ada.patch(`/v2/messages/${id}`, { message: values })
      assert.deepEqual([refused.status, refused.json.errors], [422, { [name]: ['may be set by a moderator only'] }])
    }
    assert.equal((await moderator.patch(`/v2/messages/${id}`, { message: { readings_count: 9 } })).status, 204)
    assert.equal((await get(`/v2/messages/${id}`)).readings, 9)
  })

  it('make their topic as new as the newest of them', async () => {
    world.clock.advance(3600)
    await write(ada, `/v2/topics/${topic}/messages`, {})
    assert.equal((await get(`/v2/topics/${topic}`)).updated_at, '2026-03-02T11:00:00.000Z')
  })

  it('are refused by a locked topic, except from moderators', async () => {
    topic = await newTopic({ locked_at: NOW })
    const refused = await ada.post(`/v2/topics/${topic}/messages`, { message: { content: 'x' } })
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.json.errors), ['messageable_id'])
    assert.deepEqual(await get(`/v2/topics/${topic}/messages`), [])
    await write(moderator, `/v2/topics/${topic}/messages`, {})
  })

  it('stay as a blank when deleted while others reply to them, until the last reply is gone', async () => {
    const root = await message({ content: 'A question' })
    const reply = await message({ parent_id: root, author_id: bobId })
    const deep = await message({ parent_id: reply })
    for (const [caller, id] of [
      [bob, reply],
      [ada, root],
    ] as const) {
      assert.equal((await caller.delete(`/v2/messages/${id}`)).status, 204)
    }
    const [thread] = await get(`/v2/topics/${topic}/messages`)
    assert.deepEqual(
      [thread.content, thread.replies[0].content, thread.replies[0].replies[0].content],
      ['', '', 'Hello'],
    )
    assert.deepEqual(await idsOf(`/v2/messages?filter[deleted]=true&filter[messageable_id]=${topic}`), [root, reply])
    assert.deepEqual(await idsOf(`/v2/messages?filter[deleted]=false&filter[messageable_id]=${topic}`), [deep])
    const refused = await ada.patch(`/v2/messages/${root}`, { message: { content: 'It was me' } })
    assert.equal(refused.status, 422)

    assert.equal((await ada.delete(`/v2/messages/${deep}`)).status, 204)
    assert.deepEqual(await get(`/v2/messages?filter[messageable_id]=${topic}`), [])
  })

  it('come oldest first, and by author', async () => {
    const old = await message({ created_at: '2026-01-01T00:00:00Z', content: 'b' })
    const recent = await message({ created_at: '2026-02-01T00:00:00Z', content: 'a', author_id: bobId })
    const path = `/v2/topics/${topic}/messages`
    assert.deepEqual(await idsOf(path), [old, recent])
    assert.deepEqual(await idsOf(`${path}?page[size]=100&sort=-created_at`), [recent, old])
    assert.deepEqual(await idsOf(`${path}?sort=content`), [recent, old])
    assert.deepEqual(await idsOf(`${path}?range[created_at]=2026-01-15,2026-03-01`), [recent])
    assert.deepEqual(await idsOf(`${path}?filter[author_id]=${bobId}`), [recent])
    assert.ok((await idsOf('/v2/users/bob/messages?per_page=100')).includes(recent))
    assert.ok(!(await idsOf('/v2/users/bob/messages?per_page=100')).includes(old))
    assert.deepEqual(
      (await bob.get('/v2/me/messages?per_page=100')).json,
      await get('/v2/users/bob/messages?per_page=100'),
    )
  })

  it('of twins and of a closing topic are never lost', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index === 4
          ? moderator.patch(`/v2/topics/${topic}`, { topic: { locked_at: NOW } })
          : ada.post(`/v2/topics/${topic}/messages`, { message: { content: `${index}` } }),
      ),
    )
    const written = answers.filter(({ status }) => status === 201).length
    assert.ok(answers.every(({ status }) => [201, 204, 422].includes(status)))
    assert.equal((await get(`/v2/topics/${topic}/messages`)).length, written)
  })
})
