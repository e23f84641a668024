import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'

describe('topics', () => {
  let world: World
  let ada: Client
  let bob: Client
  let moderator: Client
  let adaId: number
  let modId: number
  let language_id: number

  const get = async (path: string) => (await ada.get(path)).json
  const short = async (id: number) => (await get(`/v2/users?filter[id]=${id}`))[0]
  const open = async (values: object = {}, caller = ada) => {
    const { status, json, text } = await caller.post('/v2/topics', { topic: { name: 'Norm', language_id, ...values } })
    assert.equal(status, 201, text)
    return json
  }
  const count = async (table: string) => Number((await world.database.rows(`select count(*) from ${table}`))[0]?.[0])
  const names = async (path: string) => ((await get(path)) as { name: string }[]).map(({ name }) => name)

  before(async () => {
    world = await campus()
    world.clock.set(NOW)
    adaId = await world.build.user({ login: 'ada' })
    modId = await world.build.user({ login: 'mod' })
    language_id = await world.build.language({ name: 'French', identifier: 'fr' })
    const scopes = ['public', 'forum']
    ada = await world.caller({ user: adaId, scopes })
    bob = await world.caller({ user: await world.build.user({ login: 'bob' }), scopes })
    moderator = await world.caller({ user: modId, scopes, roles: ['Moderator'] })
  })
  after(() => world.close())

  it('are opened with a first message, tags and cursus, changed and deleted', async () => {
    const tag = await world.build.record('tags', { name: 'libft', kind: 'project' })
    const cursus = await world.build.cursus({ slug: 'core' })
    const created = await ada.post('/v2/topics', {
      topic: {
        name: 'Which norm?',
        kind: 'stack_overflow',
        language_id,
        tag_ids: [tag],
        cursus_ids: [cursus],
        messages_attributes: [{ content: '# The question' }, { content: 'A thought', author_id: adaId }],
      },
    })
    assert.equal(created.status, 201, created.text)
    const { id, message } = created.json
    assert.deepEqual(created.json, {
      id,
      name: 'Which norm?',
      author: await short(adaId),
      kind: 'stack_overflow',
      created_at: NOW,
      updated_at: NOW,
      pinned_at: null,
      locked_at: null,
      pinner: null,
      locker: null,
      language: { id: language_id, name: 'French', identifier: 'fr' },
      messages_url: `${world.url}/v2/topics/${id}/messages`,
      message: { id: message.id, content: { markdown: '# The question', html: null } },
      tags: [{ id: tag, name: 'libft', kind: 'project' }],
    })
    assert.deepEqual(await get(`/v2/topics/${id}`), created.json)
    const messages = await get(`/v2/topics/${id}/messages`)
    assert.deepEqual(
      messages.map(({ id, content, author }: { id: number; content: string; author: { login: string } }) => [
        ...[id === message.id, content, author.login],
      ]),
      [
        [true, '# The question', 'ada'],
        [false, 'A thought', 'ada'],
      ],
    )
    for (const path of [
      '/v2/cursus/core/topics',
      `/v2/tags/${tag}/topics`,
      '/v2/users/ada/topics',
      '/v2/me/topics.json',
    ]) {
      assert.deepEqual(await get(path), [created.json], path)
    }

    world.clock.advance(60)
    const changes = { name: 'Which norm, then?', tag_ids: [], answer_id: messages[1].id }
    assert.equal((await ada.patch(`/v2/topics/${id}`, { topic: changes })).status, 204)
    const updated_at = '2026-03-02T10:01:00.000Z'
    assert.deepEqual(await get(`/v2/topics/${id}`), { ...created.json, name: changes.name, tags: [], updated_at })
    assert.deepEqual(await names(`/v2/topics?filter[answer_id]=${messages[1].id}`), [changes.name])

    assert.equal((await ada.delete(`/v2/topics/${id}`)).status, 204)
    assert.equal((await ada.get(`/v2/topics/${id}`)).status, 404)
    assert.equal((await ada.get(`/v2/messages/${message.id}`)).status, 404)
  })

  it('need the scope forum, and for a new one a person, Basic Staff or a moderator', async () => {
    const { id } = await open()
    const outsider = await world.caller({ user: adaId, roles: ['Moderator', 'Basic Staff'] })
    for (const path of ['/v2/topics', `/v2/topics/${id}`, '/v2/me/topics']) {
      const refused = await outsider.get(path)
      assert.equal(refused.status, 403)
      assert.match(refused.json.message, /\[forum\]/)
    }
    const application = await world.caller({ scopes: ['forum'] })
    const topic = { name: 'Announcement', language_id, author_id: adaId }
    assert.equal((await application.post('/v2/topics', { topic })).status, 403)
    assert.equal((await world.staff.patch(`/v2/topics/${id}`, { topic: { name: 'x' } })).status, 403)
    const nameless = { topic: { ...topic, author_id: '' } }
    const opened = await world.staff.post('/v2/topics', nameless)
    assert.deepEqual([opened.status, opened.json.author], [201, {}])
    const moderator = await world.caller({ roles: ['Moderator'], scopes: ['forum'] })
    assert.deepEqual((await moderator.post('/v2/topics', nameless)).json.errors, { author_id: ["can't be blank"] })
  })

  it('are opened by staff in nobody else’s name, neither pinned nor locked', async () => {
    const time = '2026-03-02T10:00:00.000Z'
    const topic = { name: 'Announcement', language_id }
    const actingForAda = await world.caller({ user: adaId, roles: ['Basic Staff'], scopes: ['forum'] })
    const before = (await world.database.rows('select count(*) from topics')).join()
    for (const [client, more] of [
      [world.staff, { author_id: adaId }],
      [actingForAda, { author_id: await world.build.user() }],
      [world.staff, { pinned_at: time }],
      [world.staff, { locked_at: time }],
      [actingForAda, { pinned_at: time, locked_at: time, write_at: time }],
    ] as const) {
      const { status, json } = await client.post('/v2/topics', { topic: { ...topic, ...more } })
      assert.equal(status, 422)
      const texts = Object.keys(more).map((name) => [name, ['may be set by a moderator only']])
      assert.deepEqual(json.errors, Object.fromEntries(texts))
    }
    const messages_attributes = [{ content: 'I did not say this', author_id: adaId }]
    const forged = await world.staff.post('/v2/topics', { topic: { ...topic, messages_attributes } })
    assert.equal(forged.status, 422, forged.text)
    assert.equal((await world.database.rows('select count(*) from topics')).join(), before)
    const own = await actingForAda.post('/v2/topics', { topic: { ...topic, author_id: adaId } })
    assert.deepEqual([own.status, own.json.author.id], [201, adaId])
  })

  it('are changed by their author or a moderator, who alone pins and locks', async () => {
    const { id } = await open()
    for (const refused of [
      await bob.patch(`/v2/topics/${id}`, { topic: { name: 'x' } }),
      await bob.delete(`/v2/topics/${id}`),
      await bob.post('/v2/topics', { topic: { name: 'x', language_id, author_id: adaId } }),
      await ada.patch(`/v2/topics/${id}`, { topic: { author_id: modId } }),
    ]) {
      assert.equal(refused.status, 403)
    }
    for (const field of ['pinned_at', 'locked_at', 'write_at']) {
      const refused = await ada.patch(`/v2/topics/${id}`, { topic: { [field]: NOW } })
      assert.deepEqual([refused.status, refused.json.errors], [422, { [field]: ['may be set by a moderator only'] }])
    }
    const marks = { pinned_at: NOW, locked_at: NOW }
    assert.equal((await moderator.put(`/v2/topics/${id}`, { topic: marks })).status, 204)
    const pinned = await get(`/v2/topics/${id}`)
    assert.deepEqual([pinned.pinned_at, pinned.locked_at, pinned.name], [NOW, NOW, 'Norm'])
    assert.deepEqual([pinned.pinner, pinned.locker], [await short(modId), await short(modId)])
    assert.equal((await ada.patch(`/v2/topics/${id}`, { topic: { name: 'Mine', ...marks } })).status, 204)
    assert.deepEqual(await names('/v2/topics?filter[pinned]=true&filter[locked]=true&filter[write]=false'), ['Mine'])
    assert.equal((await moderator.patch(`/v2/topics/${id}`, { topic: { pinned_at: null } })).status, 204)
    assert.deepEqual((await get(`/v2/topics/${id}`)).pinner, null)
  })

  it('take no words in the name of others, nor answers from elsewhere', async () => {
    const other = await open({ messages_attributes: [{ content: 'Elsewhere' }] })
    const { id } = await open()
    const before = [await count('topics'), await count('messages')]
    for (const [values, field] of [
      [{ messages_attributes: [{ content: 'I am the moderator', author_id: modId }] }, 'messages_attributes'],
      [{ messages_attributes: [{ content: '' }] }, 'messages_attributes[0].content'],
      [{ messages_attributes: [{ content: 'x', id: other.message.id }] }, 'messages_attributes[0].id'],
      [{ survey_attributes: { name: 'x' } }, 'survey_attributes'],
      [{ answer_id: other.message.id }, 'answer_id'],
      [{ language_id: '' }, 'language_id'],
      [{ language_id: 2_000_000 }, 'language_id'],
      [{ kind: 'chat' }, 'kind'],
      [{ tag_ids: [2_000_000] }, 'tag_ids'],
    ] as const) {
      const refused = await ada.post('/v2/topics', { topic: { name: 'x', language_id, ...values } })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(Object.keys(refused.json.errors), [field])
    }
    assert.deepEqual([await count('topics'), await count('messages')], before)
    for (const values of [
      { answer_id: other.message.id },
      { messages_attributes: [{ id: other.message.id, content: 'x' }] },
    ]) {
      assert.equal((await ada.patch(`/v2/topics/${id}`, { topic: values })).status, 422)
    }
    assert.equal((await get(`/v2/messages/${other.message.id}`)).content, 'Elsewhere')
  })

  it('in which others have written are deleted by moderators only', async () => {
    const { id } = await open()
    const { json } = await bob.post(`/v2/topics/${id}/messages`, { message: { content: 'Interesting!' } })
    assert.equal((await ada.delete(`/v2/topics/${id}`)).status, 422)
    assert.equal((await get(`/v2/messages/${json.id}`)).content, 'Interesting!')
    assert.equal((await moderator.delete(`/v2/topics/${id}`)).status, 204)
  })

  it('lose their opening with the message that it was', async () => {
    const { id, message } = await open({ messages_attributes: [{ content: 'Never mind' }] })
    assert.equal((await ada.delete(`/v2/messages/${message.id}`)).status, 204)
    assert.equal((await get(`/v2/topics/${id}`)).message, null)
  })

  it('come with the latest words first, and are sorted, ranged and filtered as asked', async () => {
    const author_id = await world.build.user({ login: 'cyd' })
    const built = (name: string, updated_at: string) =>
      world.build.record('topics', { name, author_id, language_id, updated_at, created_at: '2026-01-01T00:00:00Z' })
    await built('b', '2026-01-03T00:00:00Z')
    await built('a', '2026-01-02T00:00:00Z')
    await built('c', '2026-01-01T00:00:00Z')
    const path = '/v2/users/cyd/topics'
    assert.deepEqual(await names(path), ['b', 'a', 'c'])
    assert.deepEqual(await names(`${path}?sort=updated_at`), ['c', 'a', 'b'])
    assert.deepEqual(await names(`${path}?sort=-name&filter[name]=a,b`), ['b', 'a'])
    assert.deepEqual(await names(`${path}?range[updated_at]=2026-01-01,2026-01-02`), ['a', 'c'])
    assert.deepEqual(await names(`${path}?page=2&per_page=2`), ['c'])
    assert.equal((await ada.get('/v2/topics?filter[colour]=red')).status, 400)
  })
})
