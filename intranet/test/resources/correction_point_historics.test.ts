import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertBalancesMatchEntries } from '@campus/test/support/balances'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'

const NOW = '2026-03-02T10:00:00.000Z'
const BEGINS = '2026-03-02T11:00:00.000Z'

const [BOOKED, EARNED] = ['Defense plannification', 'Earning after defense']

type Entry = { readonly reason: string; readonly sum: number; readonly total: number; readonly scale_team_id: number }

describe('evaluation points', () => {
  let world: World
  let place: Project

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
  })
  afterEach(async () => {
    world.clock.set(NOW)
    await assertBalancesMatchEntries(world.database)
  })
  after(() => world.close())

  const newcomer = () => student(world, place)
  const pathOf = (id: number) => `/v2/users/${id}/correction_point_historics`
  const entries = async (id: number, client: Client = world.director): Promise<Entry[]> =>
    (await client.get(`${pathOf(id)}?per_page=100`)).json
  const reported = (list: readonly Entry[]) => list.map(({ reason, sum, total }) => [reason, sum, total])
  const held = async (id: number) => (await world.visitor.get(`/v2/users/${id}`)).json.correction_point
  const setTo = (id: number, correction_point: number) =>
    world.director.patch(`/v2/users/${id}`, { user: { correction_point } })
  const book = (client: Client, scale_team: object) => client.post('/v2/scale_teams', { scale_team })

  /** A team of one, or of two, that waits for its correction, with somebody who offers half an hour for it. */
  const waiting = async (size = 1) => {
    const [leader, corrector] = [await newcomer(), await newcomer()]
    const fellow = size > 1 ? await newcomer() : undefined
    const team = await closedTeam(leader.client, place.project)
    if (fellow) await world.build.record('teams_users', { team_id: team, user_id: fellow.id, validated: true })
    await offered(world, corrector.id, BEGINS)
    return { leader, fellow: fellow ?? leader, corrector, team }
  }
  const booked = async (size = 1) => {
    const found = await waiting(size)
    const scale_team = { team_id: found.team, user_id: found.corrector.id, begin_at: BEGINS }
    const { status, json, text } = await book(found.leader.client, scale_team)
    assert.equal(status, 201, text)
    return { ...found, id: json.id as number }
  }
  const fill = (client: Client, id: number, scale_team: object = { final_mark: 90 }) => {
    world.clock.set(BEGINS)
    return client.patch(`/v2/scale_teams/${id}`, { scale_team })
  }

  it('begin with four, or with as many as a new account is made with, by an entry', async () => {
    for (const [given, begun] of [
      [{}, 4],
      [{ correction_point: 7 }, 7],
    ] as const) {
      const user = { email: `new${begun}@campus.test`, first_name: 'N', last_name: 'Ew', kind: 'student', ...given }
      const { id } = (await world.director.post('/v2/users', { user })).json
      assert.equal(await held(id), begun)
      const [entry, ...others] = await entries(id)
      assert.deepEqual(others, [])
      const { id: number, ...rest } = entry as Entry & { id: number }
      assert.ok(number > 0)
      const times = { created_at: NOW, updated_at: NOW }
      assert.deepEqual(rest, { scale_team_id: null, reason: 'Creation', sum: begun, total: begun, ...times })
    }
    const none = { email: 'none@campus.test', first_name: 'N', last_name: 'One', kind: 'student', correction_point: 0 }
    const { id } = (await world.director.post('/v2/users', { user: none })).json
    assert.deepEqual([await held(id), await entries(id)], [0, []])
  })

  it('cost each member one for a booking, and earn the corrector one when it is filled', async () => {
    const { leader, fellow, corrector, id } = await booked(2)
    for (const member of [leader, fellow]) {
      assert.equal(await held(member.id), 3)
      assert.deepEqual((await entries(member.id)).at(-1)?.scale_team_id, id)
      assert.deepEqual(reported(await entries(member.id)), [
        ['Creation', 4, 4],
        [BOOKED, -1, 3],
      ])
    }
    assert.equal(await held(corrector.id), 4)
    assert.equal((await fill(corrector.client, id)).status, 204)
    assert.deepEqual(reported(await entries(corrector.id)), [
      ['Creation', 4, 4],
      [EARNED, 1, 5],
    ])
    assert.equal((await entries(corrector.id)).at(-1)?.scale_team_id, id)
  })

  it('are earned once, whatever is written of an evaluation afterwards', async () => {
    const { corrector, id } = await booked()
    await fill(corrector.client, id)
    for (const scale_team of [
      { final_mark: 80 },
      { truant_id: corrector.id },
      { truant_id: null, final_mark: 70 },
      { comment: 'Well done' },
    ]) {
      assert.equal((await world.director.patch(`/v2/scale_teams/${id}`, { scale_team })).status, 204)
    }
    assert.equal(await held(corrector.id), 5)
  })

  it('are not earned by a corrector who did not come', async () => {
    const { leader, corrector, id } = await booked()
    assert.equal((await fill(leader.client, id, { truant_id: corrector.id })).status, 204)
    assert.deepEqual([await held(corrector.id), await held(leader.id)], [4, 3])
  })

  it('are needed by every member of a team that books, or nothing is booked', async () => {
    const { leader, fellow, corrector, team } = await waiting(2)
    await setTo(fellow.id, 0)
    const { status, json } = await book(leader.client, { team_id: team, begin_at: BEGINS })
    const { login } = (await fellow.client.get('/v2/me')).json
    assert.deepEqual(
      [status, json.errors],
      [422, { team_id: [`has members without an evaluation point to pay with: ${login}`] }],
    )
    assert.deepEqual([await held(leader.id), await held(fellow.id)], [4, 0])
    assert.deepEqual((await world.director.get(`/v2/users/${corrector.id}/scale_teams`)).json, [])
    const slots = (await corrector.client.get('/v2/me/slots')).json
    assert.deepEqual(
      slots.map(({ scale_team }: { scale_team: unknown }) => scale_team),
      [null, null],
    )
  })

  it('are taken by a tutor from whoever has one', async () => {
    const { leader, fellow, corrector, team } = await waiting(2)
    await setTo(fellow.id, 0)
    const { status } = await book(world.director, { team_id: team, user_id: corrector.id, begin_at: BEGINS })
    assert.equal(status, 201)
    assert.deepEqual([await held(leader.id), await held(fellow.id)], [3, 0])
    const list = [{ team_id: (await waiting()).team }, { team_id: (await waiting()).team }]
    const several = await world.director.post('/v2/scale_teams/multiple_create', { scale_teams: list })
    assert.equal(several.status, 201, several.text)
    for (const { correcteds } of several.json) assert.equal(await held(correcteds[0].id), 3)
  })

  it('do not come back with a booking that is cancelled', async () => {
    for (const by of ['leader', 'corrector', 'tutor'] as const) {
      const { id, ...people } = await booked()
      const client = by === 'tutor' ? world.director : people[by].client
      assert.equal((await client.delete(`/v2/scale_teams/${id}`)).status, 204)
      assert.equal(await held(people.leader.id), 3)
      assert.equal((await entries(people.leader.id)).at(-1)?.scale_team_id, null)
    }
  })

  it('change by an entry where staff set them, and by none where they are so already', async () => {
    const { id } = await newcomer()
    for (const points of [10, 10, -2]) assert.equal((await setTo(id, points)).status, 204)
    assert.deepEqual(reported(await entries(id)), [
      ['Creation', 4, 4],
      ['Set by staff', 6, 10],
      ['Set by staff', -12, -2],
    ])
  })

  it('that were paid for an evaluation to come tell nobody else who is corrected', async () => {
    const { leader, corrector, id } = await booked()
    const stranger = await newcomer()
    const seen = async (client: Client) => (await entries(leader.id, client)).map(({ scale_team_id }) => scale_team_id)
    for (const client of [leader.client, world.director, world.staff]) assert.deepEqual(await seen(client), [null, id])
    for (const client of [stranger.client, corrector.client, world.visitor]) {
      assert.deepEqual(await seen(client), [null])
      assert.equal((await client.get(pathOf(leader.id))).headers.get('x-total'), '1')
      assert.deepEqual((await client.get(`/v2/correction_point_historics?filter[scale_team_id]=${id}`)).json, [])
      const all = '/v2/correction_point_historics?filter[reason]=Defense%20plannification&sort=-id&per_page=1'
      assert.equal((await client.get(all)).json[0].scale_team_id, null)
    }
    world.clock.set('2026-03-02T10:46:00.000Z')
    for (const client of [stranger.client, corrector.client, world.visitor])
      assert.deepEqual(await seen(client), [null, id])
  })

  it('are listed oldest first, and found by reason', async () => {
    const { leader } = await booked()
    const found = async (query: string) => reported((await world.director.get(`${pathOf(leader.id)}?${query}`)).json)
    assert.deepEqual(await found(`filter[reason]=${encodeURIComponent(BOOKED as string)}`), [[BOOKED, -1, 3]])
    assert.deepEqual(await found('sort=-total'), [
      ['Creation', 4, 4],
      [BOOKED, -1, 3],
    ])
    assert.deepEqual(await found('range[sum]=-5,0'), [[BOOKED, -1, 3]])
    const { login } = (await leader.client.get('/v2/me')).json
    assert.equal((await world.visitor.get(`/v2/users/${login}/correction_point_historics`)).status, 200)
    assert.equal((await world.visitor.get('/v2/users/nobody/correction_point_historics')).status, 404)
  })
})
