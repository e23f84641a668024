import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'

const NOW = '2026-03-02T10:00:00.000Z'
const JSON_API = 'application/vnd.api+json'

type Slot = { readonly id: number; readonly begin_at: string; readonly end_at: string }

describe('slots', () => {
  let world: World
  let place: Project

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
  })
  after(() => world.close())

  const newcomer = () => student(world, place)
  const at = (day: number, time: string) => `2026-03-${String(day).padStart(2, '0')}T${time}:00.000Z`
  const offer = (client: Client, slot: Record<string, unknown>) => client.post('/v2/slots', { slot })
  const begins = (list: readonly Slot[]) => list.map(({ begin_at }) => begin_at)
  const mine = async (client: Client): Promise<Slot[]> => (await client.get('/v2/me/slots?sort=begin_at')).json
  const refused = (answer: { status: number; json: { errors: unknown } }, errors: unknown) =>
    assert.deepEqual([answer.status, answer.json.errors], [422, errors])

  it('are made by the quarter of an hour, in a list of whole quarters inside of what was said', async () => {
    const { id, client } = await newcomer()
    const { status, json, text } = await offer(client, {
      user_id: id,
      begin_at: '2026-03-03 10:07:00 UTC',
      end_at: at(3, '11:08'),
    })
    assert.equal(status, 201, text)
    assert.deepEqual(begins(json), [at(3, '10:15'), at(3, '10:30'), at(3, '10:45')])
    const { login } = (await client.get('/v2/me')).json
    assert.deepEqual(json[0], {
      id: json[0].id,
      begin_at: at(3, '10:15'),
      end_at: at(3, '10:30'),
      scale_team: null,
      user: { id, login, url: `${world.url}/v2/users/${login}` },
    })
    assert.deepEqual(await mine(client), json)
    assert.deepEqual((await client.get(`/v2/slots/${json[1].id}`)).json, json[1])
  })

  it('come as the query, as a form and as a document of JSON:API too', async () => {
    const { id, client } = await newcomer()
    const query = new URLSearchParams({
      'slot[user_id]': String(id),
      'slot[begin_at]': at(3, '10:00'),
      'slot[end_at]': at(3, '10:30'),
    })
    assert.equal((await client.post(`/v2/slots?${query}`)).json.length, 2)
    query.set('slot[begin_at]', at(3, '11:00'))
    query.set('slot[end_at]', at(3, '11:30'))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await client.post('/v2/slots', query.toString(), headers)).json.length, 2)
    const attributes = { begin_at: at(3, '12:00'), end_at: at(3, '12:30') }
    const document = JSON.stringify({ data: { type: 'slots', attributes } })
    const answer = await client.post('/v2/slots', document, { 'content-type': JSON_API })
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(
      answer.json.data.map(({ type, attributes }: { type: string; attributes: Slot }) => [type, attributes.begin_at]),
      [
        ['slots', at(3, '12:00')],
        ['slots', at(3, '12:15')],
      ],
    )
    assert.equal((await mine(client)).length, 6)
  })

  it('come in a query as clients write it, which do not encode the plus of an offset', async () => {
    const { id, client } = await newcomer()
    const query = `slot[user_id]=${id}&slot[begin_at]=2026-03-03 13:00:00 +0000&slot[end_at]=2026-03-03 13:30:00 +0000`
    const made = await client.post(`/v2/slots?${query.replaceAll(' ', '%20')}`)
    assert.deepEqual([made.status, begins(made.json)], [201, [at(3, '13:00'), at(3, '13:15')]], made.text)
    const path = `/v2/slots/${made.json[0].id}`
    const later = 'slot[begin_at]=2026-03-04 15:00:00.000+02:00&slot[end_at]=2026-03-04 13:30:00.000Z'
    assert.equal((await client.put(`${path}?${later.replaceAll(' ', '%20')}`)).status, 204)
    assert.deepEqual(begins(await mine(client)), [at(3, '13:15'), at(4, '13:00'), at(4, '13:15')])
  })

  it('leave the quarters alone that are offered already', async () => {
    const { client } = await newcomer()
    const [first] = (await offer(client, { begin_at: at(3, '10:00'), end_at: at(3, '10:30') })).json
    const more = await offer(client, { begin_at: at(3, '09:30'), end_at: at(3, '11:00') })
    assert.deepEqual(begins(more.json), [at(3, '09:30'), at(3, '09:45'), at(3, '10:30'), at(3, '10:45')])
    refused(await offer(client, { begin_at: at(3, '10:00'), end_at: at(3, '11:00') }), {
      begin_at: ['every quarter of an hour of that time is taken already'],
    })
    assert.equal((await mine(client)).length, 6)
    assert.ok((await mine(client)).some(({ id }) => id === first.id))
  })

  it('begin from half an hour to two weeks ahead, and last as long as the campus asks', async () => {
    const { client } = await newcomer()
    for (const [begin_at, end_at, errors] of [
      [at(2, '10:15'), at(2, '11:15'), { begin_at: ['must be at least 30 minutes from now'] }],
      [at(1, '10:00'), at(1, '11:00'), { begin_at: ['must be at least 30 minutes from now'] }],
      [at(16, '10:15'), at(16, '11:15'), { begin_at: ['must be at most two weeks from now'] }],
      [
        at(3, '10:00'),
        at(3, '10:15'),
        { end_at: ['must be at least 30 minutes after begin_at, in whole quarters of an hour'] },
      ],
      [
        at(3, '10:00'),
        at(3, '09:00'),
        { end_at: ['must be at least 30 minutes after begin_at, in whole quarters of an hour'] },
      ],
      [at(3, '10:00'), '9999-12-31T23:59:59Z', { end_at: ['must be at most 7 days after begin_at'] }],
      [null, at(3, '10:00'), { begin_at: ["can't be blank"] }],
    ] as const) {
      refused(await offer(client, { begin_at, end_at }), errors)
    }
    assert.deepEqual(await mine(client), [])
    world.clock.advance(59)
    assert.equal((await offer(client, { begin_at: at(2, '10:30'), end_at: at(2, '11:00') })).status, 201)
    assert.equal((await offer(client, { begin_at: at(16, '10:00'), end_at: at(16, '10:30') })).status, 201)
    world.clock.set(NOW)

    const strict = await openProject(world)
    const patch = await world.director.patch(`/v2/campus/${strict.campus}`, { campus: { minimum_slot_duration: 60 } })
    assert.equal(patch.status, 204, patch.text)
    const there = await student(world, strict)
    refused(await offer(there.client, { begin_at: at(3, '10:00'), end_at: at(3, '10:45') }), {
      end_at: ['must be at least 60 minutes after begin_at, in whole quarters of an hour'],
    })
    assert.equal((await offer(there.client, { begin_at: at(3, '10:00'), end_at: at(3, '11:00') })).status, 201)
    refused(await world.director.patch(`/v2/campus/${strict.campus}`, { campus: { minimum_slot_duration: 5 } }), {
      minimum_slot_duration: ['must be from 15 to 1440 minutes'],
    })
  })

  it('are offered for oneself; only Advanced Tutor speaks for others, books them and is not held to the times', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    const time = { begin_at: at(3, '10:00'), end_at: at(3, '10:30') }
    assert.equal((await offer(one.client, { ...time, user_id: other.id })).status, 403)
    assert.equal((await offer(one.client, { ...time, scale_team_id: 1 })).status, 403)
    assert.equal((await offer(world.staff, { ...time, user_id: other.id })).status, 403)
    assert.equal((await offer(world.visitor, { ...time, user_id: other.id })).status, 403)
    refused(await offer(world.director, time), { user_id: ["can't be blank"] })
    refused(await offer(world.director, { ...time, user_id: 999_999 }), { user_id: ['must exist'] })
    refused(await offer(world.director, { ...time, user_id: other.id, scale_team_id: 999_999 }), {
      scale_team_id: ['must exist'],
    })
    assert.deepEqual(await mine(other.client), [])
    const past = { user_id: other.id, begin_at: at(1, '10:00'), end_at: at(1, '10:15') }
    assert.equal((await offer(world.director, past)).status, 201)
    const [slot] = await mine(other.client)
    for (const answer of [
      await one.client.patch(`/v2/slots/${slot?.id}`, { slot: time }),
      await one.client.delete(`/v2/slots/${slot?.id}`),
      await other.client.patch(`/v2/slots/${slot?.id}`, { slot: { ...time, user_id: one.id } }),
      await other.client.patch(`/v2/slots/${slot?.id}`, { slot: { scale_team_id: 1 } }),
    ]) {
      assert.equal(answer.status, 403, answer.text)
    }
    assert.deepEqual(await mine(other.client), [slot])
  })

  it('move while they are free, and grow to more of them', async () => {
    const { id, client } = await newcomer()
    const [slot] = (await offer(client, { begin_at: at(3, '10:00'), end_at: at(3, '10:30') })).json
    const path = `/v2/slots/${slot.id}`
    assert.equal((await client.patch(path, { slot: { begin_at: at(4, '10:00'), end_at: at(4, '10:45') } })).status, 204)
    assert.deepEqual(begins(await mine(client)), [at(3, '10:15'), at(4, '10:00'), at(4, '10:15'), at(4, '10:30')])
    assert.equal((await client.get(path)).json.begin_at, at(4, '10:00'))
    refused(await client.put(path, { slot: { begin_at: at(4, '10:15'), end_at: at(4, '10:30') } }), {
      begin_at: ['has already been taken'],
    })
    refused(await client.patch(path, { slot: { begin_at: at(1, '10:00') } }), {
      begin_at: ['must be at least 30 minutes from now'],
    })
    assert.equal((await client.patch(path, { slot: { user_id: String(id) } })).status, 204)
    // Clients send a body along (spec: requests 10).
    assert.equal((await client.request('DELETE', path, { body: {} })).status, 204)
    assert.equal((await client.get(path)).status, 404)
    assert.equal((await mine(client)).length, 3)
  })

  it('that are booked stay, until the evaluation is cancelled', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    const ids = await offered(world, other.id, at(5, '10:00'), 45)
    const team_id = await closedTeam(one.client, place.project)
    const scale_team = { team_id, user_id: other.id, begin_at: at(5, '10:00') }
    const booked = await one.client.post('/v2/scale_teams', { scale_team })
    assert.equal(booked.status, 201, booked.text)
    const busy = async () =>
      (await world.director.get(`/v2/slots?filter[id]=${ids.join(',')}&sort=id`)).json.map(
        (slot: { scale_team: null | { id: number } }) => slot.scale_team?.id ?? null,
      )
    assert.deepEqual(await busy(), [booked.json.id, booked.json.id, null])
    for (const answer of [
      await other.client.delete(`/v2/slots/${ids[0]}`),
      await other.client.patch(`/v2/slots/${ids[0]}`, { slot: { end_at: at(5, '10:30') } }),
    ]) {
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.json.errors.base[0], /^a booked slot cannot be/)
    }
    assert.equal((await one.client.delete(`/v2/scale_teams/${booked.json.id}`)).status, 204)
    assert.deepEqual(await busy(), [null, null, null])
    assert.equal((await other.client.delete(`/v2/slots/${ids[0]}`)).status, 204)
    // Tutors may take away a booked one, and the evaluation stays.
    const again = await one.client.post('/v2/scale_teams', {
      scale_team: { ...scale_team, begin_at: at(5, '10:15') },
    })
    assert.equal(again.status, 201, again.text)
    assert.equal((await world.director.delete(`/v2/slots/${ids[1]}`)).status, 204)
    assert.equal((await world.director.get(`/v2/scale_teams/${again.json.id}`)).status, 200)
  })

  it('are not offered for a time at which one evaluates somebody', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    const scale_team = { team_id: await closedTeam(one.client, place.project), user_id: other.id }
    const booked = await world.director.post('/v2/scale_teams', {
      scale_team: { ...scale_team, begin_at: at(6, '10:15') },
    })
    assert.equal(booked.status, 201, booked.text)
    const { json } = await offer(other.client, { begin_at: at(6, '10:00'), end_at: at(6, '11:00') })
    assert.deepEqual(begins(json), [at(6, '10:00'), at(6, '10:45')])
    // Nor are they moved to it, and one that grows over it leaves it out.
    const path = `/v2/slots/${json[0].id}`
    refused(await other.client.patch(path, { slot: { begin_at: at(6, '10:15'), end_at: at(6, '10:30') } }), {
      begin_at: ['is a time at which the user evaluates somebody'],
    })
    assert.equal(
      (await other.client.patch(path, { slot: { begin_at: at(6, '09:45'), end_at: at(6, '11:15') } })).status,
      204,
    )
    assert.deepEqual(begins(await mine(other.client)), [at(6, '09:45'), at(6, '10:00'), at(6, '10:45'), at(6, '11:00')])
  })

  it('are all seen by people with the scope projects, past, booked and free, but not whose they are', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    const [past] = (await offered(world, other.id, at(1, '08:00'), 15)) as [number]
    const [free, booked] = (await offered(world, other.id, at(12, '08:00'))) as [number, number]
    const team_id = await closedTeam(one.client, place.project)
    await world.build.record('scale_teams', {
      team_id,
      scale_id: place.scale,
      user_id: other.id,
      begin_at: at(1, '07:00'),
    })
    const [evaluation] = await world.database.rows('select max(id) from scale_teams')
    await world.database.rows('update slots set scale_team_id = $1 where id = $2', [evaluation?.[0], booked])
    const stranger = await newcomer()
    const { json } = await stranger.client.get(`/v2/slots?filter[id]=${past},${free},${booked}&sort=id`)
    assert.deepEqual(
      json.map((slot: Slot & { user: unknown; scale_team: { id: number } | null }) => [
        slot.id,
        slot.user,
        slot.scale_team?.id ?? null,
      ]),
      [
        [past, 'invisible', null],
        [free, 'invisible', null],
        [booked, 'invisible', Number(evaluation?.[0])],
      ],
    )
    const othersOwn = await stranger.client.get(`/v2/users/${other.id}/slots`)
    assert.deepEqual([othersOwn.json, othersOwn.headers.get('x-total')], [[], '0'])
  })

  it('are read by people with the scope projects, and by applications of tutors and of staff', async () => {
    const { id, client } = await newcomer()
    const [slot] = await offered(world, id, at(7, '10:00'))
    const unscoped = await world.caller({ user: id })
    const [tutor, staff] = [await world.caller({ roles: ['Basic Tutor'] }), world.staff]
    for (const path of [
      '/v2/slots',
      `/v2/users/${id}/slots`,
      `/v2/projects/${place.project}/slots`,
      `/v2/slots/${slot}`,
    ]) {
      for (const caller of [client, tutor, staff]) assert.equal((await caller.get(path)).status, 200, path)
      for (const caller of [unscoped, world.visitor]) assert.equal((await caller.get(path)).status, 403, path)
    }
    assert.equal((await tutor.get('/v2/me/slots')).status, 404)
    for (const graph of [
      '/v2/slots/graph',
      `/v2/users/${id}/slots/graph`,
      `/v2/projects/${place.project}/slots/graph/on/begin_at`,
    ]) {
      assert.equal((await world.visitor.get(graph)).status, 200, graph)
    }
    const byDay = await tutor.get(`/v2/users/${id}/slots/graph/on/end_at/by/day`)
    assert.equal(byDay.json['2026-03-07'], 2)
  })

  it('are listed, filtered, ranged and sorted', async () => {
    const home = await openProject(world)
    const { id, client } = await student(world, home)
    const [early] = (await offered(world, id, '2026-03-01T10:00:00Z', 15)) as [number]
    const [first, second] = (await offered(world, id, at(8, '10:00'))) as [number, number]
    const ids = async (query: string) => {
      const { status, json, text } = await client.get(`/v2/me/slots?${query}`)
      assert.equal(status, 200, text)
      return json.map((slot: Slot) => slot.id)
    }
    for (const [query, found] of [
      ['', [second, first, early]],
      ['sort=begin_at', [early, first, second]],
      ['sort=-end_at', [second, first, early]],
      ['sort=scale_team_id,user_id,created_at', [early, first, second]],
      ['filter[future]=true', [second, first]],
      ['future=true', [second, first, early]],
      ['filter[future]=false', [early]],
      ['filter[end]=true', [second, first, early]],
      [`filter[campus_id]=${home.campus}&sort=id`, [early, first, second]],
      [`filter[campus_id]=${place.campus}`, []],
      [`filter[begin_at]=${at(8, '10:15')}`, [second]],
      [`range[begin_at]=${at(8, '10:00')},${at(8, '10:00')}`, [first]],
      [`range[end_at]=${at(8, '10:15')},&per_page=1`, [second]],
      [`filter[id]=${first}`, [first]],
    ] as const) {
      assert.deepEqual(await ids(query), found, query)
    }
    for (const query of [
      'filter[user_id]=1',
      'range[user_id]=1,2',
      'filter[scale_team_id]=1',
      'filter[updated_at]=2026-03-01',
    ]) {
      assert.equal((await client.get(`/v2/slots?${query}`)).status, 400, query)
    }
  })

  it('of a project are, for a person, those of others that could be booked, and for an application the scheduled ones', async () => {
    const home = await openProject(world)
    const [one, other, third] = [await student(world, home), await student(world, home), await student(world, home)]
    const path = `/v2/projects/${home.project}/slots`
    const own = await offered(world, one.id, at(9, '10:00'))
    const [first, second] = (await offered(world, other.id, at(9, '10:00'))) as [number, number]
    await offered(world, other.id, '2026-03-01T10:00:00Z')
    const elsewhere = await newcomer()
    await offered(world, elsewhere.id, at(9, '10:00'))
    const gone = await student(world, home)
    await world.build.record('closes', { user_id: gone.id, kind: 'other', reason: 'Left', state: 'close' })
    await world.database.rows('update users set closed_at = now() where id = $1', [gone.id])
    await offered(world, gone.id, at(9, '10:00'))
    const ids = async (client: Client, query = '') =>
      (await client.get(`${path}?sort=id${query}`)).json.map((slot: Slot) => slot.id)

    assert.deepEqual(await ids(one.client), [first, second])
    assert.deepEqual(await ids(one.client, `&filter[campus_id]=${home.campus}`), [first, second])
    assert.deepEqual(await ids(other.client), own)
    assert.deepEqual(await ids(world.director), [])
    const team_id = await closedTeam(third.client, home.project)
    const booking = { team_id, user_id: other.id, begin_at: at(9, '10:00') }
    const booked = await third.client.post('/v2/scale_teams', { scale_team: booking })
    assert.equal(booked.status, 201, booked.text)
    assert.deepEqual(await ids(one.client), [])
    assert.deepEqual(await ids(third.client), own)
    assert.deepEqual(await ids(world.director), [first, second])
    assert.deepEqual(
      (await world.director.get(`/v2/users/${third.id}/slots?sort=id`)).json.map((slot: Slot) => slot.id),
      [first, second],
    )
    assert.equal((await world.director.get(`${path}/graph`)).headers.get('x-total'), '2')
    assert.equal((await one.client.get(`${path}/graph`)).headers.get('x-total'), '0')
  })

  it('offered twice at once are there once', async () => {
    const { client } = await newcomer()
    const time = { begin_at: at(10, '10:00'), end_at: at(10, '11:00') }
    const answers = await Promise.all([1, 2, 3, 4].map(() => offer(client, time)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422])
    assert.equal((await mine(client)).length, 4)
    const key = { 'idempotency-key': 'once' }
    const later = { slot: { begin_at: at(10, '12:00'), end_at: at(10, '12:30') } }
    const [made, again] = [await client.post('/v2/slots', later, key), await client.post('/v2/slots', later, key)]
    assert.deepEqual([again.status, again.json], [201, made.json])
  })
})
