import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'

const KEYS = [
  ...['id', 'user', 'feedbackable_type', 'feedbackable_id', 'comment', 'rating', 'created_at', 'feedback_details'],
]

describe('feedbacks', () => {
  let world: World
  let place: Project

  before(async () => {
    world = await campus()
    place = await openProject(world)
  })
  after(() => world.close())

  const person = async () => {
    const id = await world.build.user()
    return { id, client: await world.caller({ user: id, scopes: ['public', 'projects'] }) }
  }
  const event = () =>
    world.build.record('events', {
      name: 'Capture the flag',
      description: 'Bring a friend',
      kind: 'challenge',
      begin_at: '2026-03-01T10:00:00Z',
      end_at: '2026-03-01T12:00:00Z',
    })
  /** Somebody with a place at the event. */
  const guest = async (event_id: number, values: Readonly<Record<string, unknown>> = {}) => {
    const somebody = await person()
    await world.build.record('events_users', { event_id, user_id: somebody.id, ...values })
    return somebody
  }
  /** A filled evaluation of somebody's team. */
  const filled = async () => {
    const [corrected, corrector] = [await student(world, place), await student(world, place)]
    const team_id = await closedTeam(corrected.client, place.project)
    const begin_at = '2026-03-02T09:00:00.000Z'
    const scale_team = { team_id, scale_id: place.scale, user_id: corrector.id, begin_at, final_mark: 80 }
    const { status, json, text } = await world.director.post('/v2/scale_teams', { scale_team })
    assert.equal(status, 201, text)
    return { id: json.id as number, team_id, corrected, corrector }
  }
  const give = (client: Client, path: string, feedback: Readonly<Record<string, unknown>>) =>
    client.post(path, { feedback: { comment: 'Kind', rating: 4, ...feedback } })
  const made = async (answer: Promise<Response>) => {
    const { status, json, text } = await answer
    assert.equal(status, 201, text)
    return json
  }
  const refused = async (answer: Promise<Response>, errors: unknown) => {
    const { status, json } = await answer
    assert.deepEqual([status, json.errors], [422, errors])
  }
  const evaluation = async (id: number) => (await world.director.get(`/v2/scale_teams/${id}`)).json
  const idsAt = async (path: string) => (await world.visitor.get(path)).json.map(({ id }: { id: number }) => id)

  it('of an event are given by who has a place there, and by nobody else', async () => {
    const id = await event()
    const [somebody, waiting, stranger] = [await guest(id), await guest(id, { waiting: true }), await person()]
    const path = `/v2/events/${id}/feedbacks`
    const record = await made(give(somebody.client, path, {}))
    assert.deepEqual(Object.keys(record), KEYS)
    assert.deepEqual([record.feedbackable_type, record.feedbackable_id, record.user.id], ['Event', id, somebody.id])
    const noPlace = { user_id: ['must have a place at the event'] }
    await refused(give(waiting.client, path, {}), noPlace)
    await refused(give(stranger.client, path, {}), noPlace)
    assert.equal((await give(stranger.client, path, { user_id: somebody.id })).status, 403)
    await refused(give(world.staff, path, { user_id: stranger.id }), noPlace)
    await refused(give(world.staff, path, {}), { user_id: ["can't be blank"] })
    await refused(give(somebody.client, path, {}), { user_id: ['has already been taken'] })
    assert.deepEqual(await idsAt(path), [record.id])
    assert.deepEqual((await world.visitor.get(`${path}/${record.id}`)).json, record)
  })

  it('are found and written below what they are about, and nowhere else', async () => {
    const [one, other] = [await event(), await event()]
    const somebody = await guest(one)
    const { id } = await made(give(somebody.client, `/v2/events/${one}/feedbacks`, {}))
    const evaluated = await filled()
    for (const path of [`/v2/events/${other}/feedbacks`, `/v2/scale_teams/${evaluated.id}/feedbacks`]) {
      assert.deepEqual(await idsAt(path), [])
      assert.equal((await world.visitor.get(`${path}/${id}`)).status, 404)
      assert.equal((await world.staff.patch(`${path}/${id}`, { feedback: { rating: 1 } })).status, 404)
      assert.equal((await world.staff.delete(`${path}/${id}`)).status, 404)
    }
    const below = `/v2/events/${one}/feedbacks/${id}`
    assert.equal((await somebody.client.put(below, { feedback: { comment: 'Very kind' } })).status, 204)
    assert.equal((await world.visitor.get(below)).json.comment, 'Very kind')
    assert.equal((await world.staff.delete(below)).status, 204)
    assert.equal((await world.visitor.get(below)).status, 404)
  })

  it('say what they are about once: a payload may repeat the path and not contradict it', async () => {
    const [one, other] = [await event(), await event()]
    const somebody = await guest(one)
    const path = `/v2/events/${one}/feedbacks`
    await refused(give(somebody.client, path, { feedbackable_id: other }), {
      feedbackable_id: [`must be ${one} or left out, since the path says so`],
    })
    await refused(give(somebody.client, path, { feedbackable_type: 'ScaleTeam' }), {
      feedbackable_type: ['must be Event or left out, since the path says so'],
    })
    await refused(give(somebody.client, '/v2/feedbacks', {}), {
      feedbackable_type: ["can't be blank"],
      feedbackable_id: ["can't be blank"],
    })
    const { id } = await made(give(somebody.client, path, { feedbackable_type: 'Event', feedbackable_id: one }))
    const change = (feedback: object) => somebody.client.patch(`/v2/feedbacks/${id}`, { feedback })
    await refused(change({ feedbackable_id: other }), { feedbackable_id: ['cannot be changed'] })
    assert.equal((await change({ feedbackable_id: one, rating: 5 })).status, 204)
  })

  it('need a comment, and stars from 0 to 5', async () => {
    const id = await event()
    const { client } = await guest(id)
    const path = `/v2/events/${id}/feedbacks`
    await refused(give(client, path, { comment: '' }), { comment: ["can't be blank"] })
    await refused(give(client, path, { comment: 'x'.repeat(1025) }), {
      comment: ['is too long (maximum is 1024 characters)'],
    })
    await refused(give(client, path, { rating: 6 }), { rating: ['must be from 0 to 5'] })
    assert.equal((await made(give(client, path, { rating: null, comment: 'x'.repeat(1024) }))).rating, null)
  })

  it('rate the sides of what they are about', async () => {
    const about = await event()
    const { client } = await guest(about)
    const sides = (...kinds: string[]) => ({ feedback_details_attributes: kinds.map((kind) => ({ kind, rate: 3 })) })
    const path = `/v2/events/${about}/feedbacks`
    await refused(give(client, path, sides('nice')), {
      feedback_details_attributes: ['must be of the kinds pertinent, quality, interesting, accuracy here'],
    })
    assert.deepEqual(await idsAt(path), [])
    const { id, feedback_details } = await made(give(client, path, sides('pertinent', 'quality')))
    const change = (...elements: object[]) =>
      client.patch(`/v2/feedbacks/${id}`, { feedback: { feedback_details_attributes: elements } })
    const removed = { id: feedback_details[0].id, _destroy: true }
    assert.equal((await change(removed, { id: feedback_details[1].id, rate: 1 })).status, 204)
    const { json } = await client.get(`/v2/feedbacks/${id}`)
    assert.deepEqual(json.feedback_details, [{ id: feedback_details[1].id, rate: 1, kind: 'quality' }])

    const evaluated = await filled()
    const below = `/v2/scale_teams/${evaluated.id}/feedbacks`
    await refused(give(evaluated.corrected.client, below, sides('quality')), {
      feedback_details_attributes: ['must be of the kinds nice, rigorous, interested, punctuality here'],
    })
    await made(give(evaluated.corrected.client, below, sides('nice', 'punctuality')))
  })

  it('of an evaluation are shown with it, the first one as its remark and stars', async () => {
    const { id, team_id, corrected, corrector } = await filled()
    const fellow = await person()
    await world.build.record('teams_users', { team_id, user_id: fellow.id })
    const path = `/v2/scale_teams/${id}/feedbacks`
    await refused(give(corrector.client, path, {}), { user_id: ['must be one of the corrected'] })
    const first = await made(give(corrected.client, path, { comment: 'Patient', rating: 5 }))
    const second = await made(give(fellow.client, path, { comment: 'Late', rating: 1 }))
    const shown = await evaluation(id)
    assert.deepEqual(shown.feedbacks, [first, second])
    assert.deepEqual([shown.feedback, shown.feedback_rating], ['Patient', 5])
    const { scale_teams } = (await world.director.get(`/v2/teams/${team_id}`)).json
    assert.deepEqual([scale_teams[0].feedback, scale_teams[0].feedback_rating], ['Patient', 5])

    const said = [`is said by feedback ${first.id}`]
    const comment = { feedback: 'No', feedback_rating: 0 }
    await refused(corrected.client.patch(`/v2/scale_teams/${id}`, { scale_team: comment }), {
      feedback: said,
      feedback_rating: said,
    })
    await corrected.client.patch(`${path}/${first.id}`, { feedback: { rating: 4 } })
    assert.equal((await evaluation(id)).feedback_rating, 4)
    await corrected.client.delete(`${path}/${first.id}`)
    assert.deepEqual([(await evaluation(id)).feedback, (await evaluation(id)).feedback_rating], ['Late', 1])
    await fellow.client.delete(`${path}/${second.id}`)
    assert.deepEqual([(await evaluation(id)).feedback, (await evaluation(id)).feedback_rating], [null, null])
    assert.equal((await corrected.client.patch(`/v2/scale_teams/${id}`, { scale_team: comment })).status, 204)
  })

  it('given at the same time leave the first of them to be shown', async () => {
    const { id, team_id, corrected } = await filled()
    const fellows = [corrected, await person(), await person(), await person()]
    for (const { id: user_id } of fellows.slice(1)) await world.build.record('teams_users', { team_id, user_id })
    const path = `/v2/scale_teams/${id}/feedbacks`
    await Promise.all(fellows.map(({ client }, stars) => made(give(client, path, { rating: stars }))))
    const { feedbacks, feedback_rating } = await evaluation(id)
    assert.equal(feedbacks.length, 4)
    assert.equal(feedback_rating, feedbacks[0].rating)
  })

  it('keep what they are about from being destroyed', async () => {
    const about = await event()
    const somebody = await guest(about)
    await made(give(somebody.client, `/v2/events/${about}/feedbacks`, {}))
    await world.database.rows('delete from events_users where event_id = $1', [about])
    await refused(world.director.delete(`/v2/events/${about}`), { base: ['is still used by 1 feedbacks'] })

    const { id, corrected } = await filled()
    const feedback = await made(give(corrected.client, `/v2/scale_teams/${id}/feedbacks`, {}))
    await refused(world.director.delete(`/v2/scale_teams/${id}`), { base: ['is still used by 1 feedbacks'] })
    assert.equal((await world.staff.delete(`/v2/feedbacks/${feedback.id}`)).status, 204)
    assert.equal((await world.director.delete(`/v2/scale_teams/${id}`)).status, 204)
  })

  it('of others are changed by Basic Staff only', async () => {
    const about = await event()
    const [somebody, fellow] = [await guest(about), await guest(about)]
    const { id } = await made(give(somebody.client, `/v2/events/${about}/feedbacks`, {}))
    const path = `/v2/feedbacks/${id}`
    for (const client of [fellow.client, await world.caller({ roles: ['Advanced Tutor'] })]) {
      assert.equal((await client.patch(path, { feedback: { rating: 0 } })).status, 403)
      assert.equal((await client.delete(path)).status, 403)
    }
    assert.equal((await somebody.client.patch(path, { feedback: { user_id: fellow.id } })).status, 403)
    assert.equal((await world.staff.patch(path, { feedback: { rating: 0 } })).status, 204)
    await refused(world.staff.patch(path, { feedback: { user_id: (await person()).id } }), {
      user_id: ['must have a place at the event'],
    })
    assert.equal((await world.visitor.get(path)).json.rating, 0)
  })
})
