import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'

const NONE = { upvote: 0, downvote: 0, trollvote: 0, problem: 0 }
const NOT_VOTED = { upvote: false, downvote: false, trollvote: false, problem: false }

describe('votes', () => {
  let world: World
  let [adaId, bobId] = [0, 0]
  let ada: Client
  let bob: Client
  let moderator: Client
  let topic: number
  let message: number

  const person = (user: number) => world.caller({ user, scopes: ['public', 'forum'] })
  const messageOf = (values: object = {}) =>
    world.build.record('messages', { author_id: adaId, content: 'Hello', messageable_id: topic, ...values })
  const cast = (client: Client, kind: string, values: object = {}) =>
    client.post('/v2/votes', { vote: { message_id: message, kind, ...values } })
  const made = async (answer: Promise<Response>) => {
    const { status, json, text } = await answer
    assert.equal(status, 201, text)
    return json
  }
  const refused = async (answer: Promise<Response>, errors: unknown) => {
    const { status, json } = await answer
    assert.deepEqual([status, json.errors], [422, errors])
  }
  const read = async (client: Client, path: string) => {
    const { status, json, text } = await client.get(path)
    assert.equal(status, 200, text)
    return json
  }
  const idsOf = async (client: Client, query: string) =>
    (await read(client, `/v2/votes?${query}`)).map(({ id }: { id: number }) => id)

  before(async () => {
    world = await campus()
    ;[adaId, bobId] = [await world.build.user({ login: 'ada' }), await world.build.user({ login: 'bob' })]
    ;[ada, bob] = [await person(adaId), await person(bobId)]
    moderator = await world.caller({ roles: ['Moderator'], scopes: ['forum'] })
    topic = await world.build.record('topics', {
      name: 'Norm',
      author_id: adaId,
      language_id: await world.build.language(),
    })
  })
  beforeEach(async () => {
    message = await messageOf()
  })
  after(() => world.close())

  it('are cast as clients cast them, counted, and told to the voter as the id by which they are taken back', async () => {
    const sent = await bob.post(`/v2/votes?vote[user_id]=${bobId}&vote[message_id]=${message}&vote[kind]=upvote`)
    const vote = await made(Promise.resolve(sent))
    const counted = { ...NONE, upvote: 1 }
    const mine = { ...NOT_VOTED, upvote: vote.id }
    assert.deepEqual(Object.keys(vote), ['id', 'kind', 'created_at', 'message'])
    assert.deepEqual([vote.message.id, vote.message.votes_count, vote.message.user_votes], [message, counted, mine])
    const path = `/v2/messages/${message}`
    const shown = async (client: Client) => {
      const { votes_count, user_votes } = await read(client, path)
      return [votes_count, user_votes]
    }
    assert.deepEqual(await shown(bob), [counted, mine])
    assert.deepEqual(await shown(ada), [counted, NOT_VOTED])
    assert.deepEqual(await shown(moderator), [counted, NOT_VOTED])
    assert.equal((await bob.delete(`/v2/votes/${vote.id}`)).status, 204)
    assert.deepEqual(await shown(bob), [NONE, NOT_VOTED])
  })

  it('of the caller are told in lists and in replies, too', async () => {
    const reply = await messageOf({ parent_id: message })
    const { id } = await made(bob.post('/v2/votes', { vote: { message_id: reply, kind: 'problem' } }))
    for (const [client, expected] of [
      [bob, id],
      [ada, false],
    ] as const) {
      const [thread] = await read(client, `/v2/topics/${topic}/messages?filter[id]=${message}`)
      assert.equal(thread.replies[0].user_votes.problem, expected)
      assert.equal(thread.replies[0].votes_count.problem, 1)
      assert.equal(thread.user_votes.problem, false)
    }
  })

  it('are one of each kind for each person and message', async () => {
    await made(cast(bob, 'upvote'))
    await refused(cast(bob, 'upvote'), { kind: ['has been cast already'] })
    await made(cast(bob, 'trollvote'))
    await made(cast(ada, 'upvote'))
    await refused(cast(bob, 'applause'), {
      kind: ['is not included in the list: upvote, downvote, trollvote, problem'],
    })
    await refused(cast(bob, 'upvote', { message_id: 999_999 }), { message_id: ['must exist'] })
    assert.deepEqual((await read(ada, `/v2/messages/${message}`)).votes_count, { ...NONE, upvote: 2, trollvote: 1 })
  })

  it('that come at the same time are all counted, and the same one once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => world.build.user()))
    const voters = await Promise.all(ids.map(person))
    const answers = await Promise.all([...voters, ...voters].map((client) => cast(client, 'upvote')))
    assert.deepEqual(
      [201, 422].map((status) => answers.filter((one) => one.status === status).length),
      [12, 12],
    )
    assert.equal((await read(ada, `/v2/messages/${message}`)).votes_count.upvote, 12)
    const taken = answers.filter(({ status }) => status === 201).map(({ json }) => json.id)
    const gone = await Promise.all(taken.map((id) => moderator.delete(`/v2/votes/${id}`)))
    assert.ok(gone.every(({ status }) => status === 204))
    assert.equal((await read(ada, `/v2/messages/${message}`)).votes_count.upvote, 0)
  })

  it('are cast in one’s own name, on messages that stand, with the scope forum', async () => {
    assert.equal((await cast(bob, 'upvote', { user_id: adaId })).status, 403)
    assert.equal((await cast(await world.caller({ user: bobId }), 'upvote')).status, 403)
    const { id } = await made(cast(ada, 'downvote'))
    assert.equal((await bob.delete(`/v2/votes/${id}`)).status, 403)
    await refused(cast(moderator, 'upvote'), { user_id: ["can't be blank"] })
    await made(cast(moderator, 'upvote', { user_id: bobId }))
    const deleted = await messageOf({ content: '', deleted_at: world.clock.now() })
    await refused(cast(bob, 'upvote', { message_id: deleted }), { message_id: ['has been deleted'] })
  })

  it('are found by their voter by the voter and by moderators only', async () => {
    const { id } = await made(cast(bob, 'problem'))
    const about = `filter[message_id]=${message}`
    assert.deepEqual(await idsOf(ada, about), [id])
    for (const query of [`${about}&filter[user_id]=${bobId}`, `${about}&range[user_id]=${bobId},${bobId}`]) {
      assert.deepEqual(await idsOf(ada, query), [], query)
      assert.deepEqual(await idsOf(bob, query), [id], query)
      assert.deepEqual(await idsOf(moderator, query), [id], query)
    }
    const document = await ada.get(`/v2/votes/${id}`, { accept: 'application/vnd.api+json' })
    assert.equal(document.status, 200)
    assert.ok(!document.text.includes(`"/v2/users/bob"`))
  })

  it('go with the message that they are on', async () => {
    const { id } = await made(cast(bob, 'upvote'))
    assert.equal((await ada.delete(`/v2/messages/${message}`)).status, 204)
    assert.equal((await ada.get(`/v2/votes/${id}`)).status, 404)
  })
})
