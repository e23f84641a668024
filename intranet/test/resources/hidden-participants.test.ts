import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'

const NOW = '2026-03-02T10:00:00.000Z'
const BEGINS = '2026-03-02T12:00:00.000Z'
/** A quarter of an hour before. */
const SHOWN_FROM = '2026-03-02T11:45:00.000Z'
const JSON_API = { accept: 'application/vnd.api+json' }

type Person = { readonly id: number; readonly client: Client }
type Looked = { readonly path: string; readonly finds: 'evaluation' | 'slot' }

describe('who meets whom at an evaluation that is to come', () => {
  let world: World
  let place: Project
  let corrected: Person
  let corrector: Person
  let stranger: Person
  let evaluation: number
  let team: number
  let strangersApplication: Client
  let tutor: Client
  let staff: Client
  let slots: readonly number[]

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
    for (const give of [
      (person: Person) => (corrected = person),
      (person: Person) => (corrector = person),
      (person: Person) => (stranger = person),
    ]) {
      give(await student(world, place))
    }
    strangersApplication = await world.caller({ scopes: ['public', 'projects', 'forum', 'profile', 'tig'] })
    tutor = await world.caller({ roles: ['Basic Tutor'] })
    staff = await world.caller({ roles: ['Basic Staff'] })
    team = await closedTeam(corrected.client, place.project)
    slots = await offered(world, corrector.id, BEGINS)
    const booked = await corrected.client.post('/v2/scale_teams', { scale_team: { team_id: team, begin_at: BEGINS } })
    assert.equal(booked.status, 201, booked.text)
    evaluation = booked.json.id
  })
  after(() => world.close())

  const at = async (time: string, work: () => Promise<void>) => {
    world.clock.set(time)
    await work().finally(() => world.clock.set(NOW))
  }
  const ids = async (client: Client, path: string) => {
    const { status, json, text } = await client.get(path)
    assert.equal(status, 200, `${path} ${text}`)
    return json.map(({ id }: { id: number }) => id)
  }

  /** Every address that asks for an evaluation by one of its sides. */
  const byCorrector = (): Looked[] => [
    { path: `/v2/scale_teams?filter[user_id]=${corrector.id}`, finds: 'evaluation' },
    { path: `/v2/scale_teams?filter[user_id]=${stranger.id},${corrector.id}`, finds: 'evaluation' },
    { path: `/v2/scale_teams?range[user_id]=${corrector.id},${corrector.id}`, finds: 'evaluation' },
    { path: `/v2/scale_teams?range[user_id]=${corrector.id},`, finds: 'evaluation' },
    { path: `/v2/scale_teams?filter[campus_id]=${place.campus}`, finds: 'evaluation' },
    { path: `/v2/users/${corrector.id}/scale_teams`, finds: 'evaluation' },
    { path: `/v2/users/${corrector.id}/scale_teams/as_corrector`, finds: 'evaluation' },
    { path: `/v2/users/${corrector.id}/slots`, finds: 'slot' },
  ]
  const byCorrected = (): Looked[] => [
    { path: `/v2/scale_teams?filter[team_id]=${team}`, finds: 'evaluation' },
    { path: `/v2/scale_teams?range[team_id]=${team},${team}`, finds: 'evaluation' },
    { path: `/v2/users/${corrected.id}/scale_teams`, finds: 'evaluation' },
    { path: `/v2/users/${corrected.id}/scale_teams/as_corrected`, finds: 'evaluation' },
    { path: `/v2/users/${corrected.id}/slots`, finds: 'slot' },
  ]
  const finds = async (client: Client, { path, finds: what }: Looked) => {
    const found = await ids(client, path)
    return what === 'evaluation' ? found.includes(evaluation) : slots.every((id) => found.includes(id))
  }
  const mayList = ({ finds: what }: Looked, client: Client) => what === 'evaluation' || client !== strangersApplication

  it('is said of neither side to strangers and to applications without a role', async () => {
    for (const client of [stranger.client, strangersApplication]) {
      const { json } = await client.get(`/v2/scale_teams/${evaluation}`)
      assert.deepEqual([json.corrector, json.correcteds, 'team' in json], ['invisible', 'invisible', false])
      assert.deepEqual((await client.get(`/v2/teams/${team}`)).json.scale_teams, [])
      for (const looked of [...byCorrector(), ...byCorrected()]) {
        if (mayList(looked, client)) assert.equal(await finds(client, looked), false, looked.path)
      }
    }
  })

  it('is said to each side of itself only', async () => {
    const asCorrector = (await corrector.client.get(`/v2/scale_teams/${evaluation}`)).json
    assert.deepEqual(
      [asCorrector.corrector.id, asCorrector.correcteds, 'team' in asCorrector],
      [corrector.id, 'invisible', false],
    )
    const asCorrected = (await corrected.client.get(`/v2/scale_teams/${evaluation}`)).json
    assert.deepEqual(
      [asCorrected.corrector, asCorrected.correcteds[0].id, asCorrected.team.id],
      ['invisible', corrected.id, team],
    )
    assert.deepEqual((await corrector.client.get(`/v2/teams/${team}`)).json.scale_teams, [])
    const [inTeam] = (await corrected.client.get(`/v2/teams/${team}`)).json.scale_teams
    assert.deepEqual([inTeam.id, inTeam.corrector], [evaluation, 'invisible'])
    for (const looked of byCorrected()) {
      assert.equal(await finds(corrector.client, looked), false, looked.path)
      // Slots say who offers them, so those of the other side are hidden though one's own side is not.
      if (looked.finds === 'evaluation') assert.equal(await finds(corrected.client, looked), true, looked.path)
    }
    for (const looked of byCorrector()) {
      assert.equal(await finds(corrected.client, looked), false, looked.path)
      if (!looked.path.includes('campus_id')) assert.equal(await finds(corrector.client, looked), true, looked.path)
    }
  })

  it('is said to applications of tutors and of staff', async () => {
    for (const client of [tutor, staff]) {
      const { json } = await client.get(`/v2/scale_teams/${evaluation}`)
      assert.deepEqual([json.corrector.id, json.correcteds[0].id, json.team.id], [corrector.id, corrected.id, team])
      assert.equal((await client.get(`/v2/teams/${team}`)).json.scale_teams[0].corrector.id, corrector.id)
      for (const looked of [...byCorrector(), ...byCorrected()]) {
        assert.equal(await finds(client, looked), true, looked.path)
      }
      const [slot] = (await client.get(`/v2/slots?filter[id]=${slots[0]}`)).json
      assert.deepEqual(
        [slot.user.id, slot.scale_team.id, slot.scale_team.corrector.id],
        [corrector.id, evaluation, corrector.id],
      )
    }
  })

  it('is not told by counts and graphs', async () => {
    for (const path of [
      `/v2/scale_teams?filter[user_id]=${corrector.id}`,
      `/v2/users/${corrector.id}/scale_teams/as_corrector`,
      `/v2/users/${corrected.id}/scale_teams/as_corrected`,
      `/v2/scale_teams/graph?filter[user_id]=${corrector.id}`,
      `/v2/scale_teams/graph/on/begin_at/by/day?range[team_id]=${team},${team}`,
      `/v2/users/${corrector.id}/scale_teams/graph`,
      `/v2/users/${corrector.id}/slots/graph`,
    ]) {
      assert.equal((await stranger.client.get(path)).headers.get('x-total'), '0', path)
      assert.notEqual((await tutor.get(path)).headers.get('x-total'), '0', path)
    }
  })

  it('is not told by the order of a list', async () => {
    const others: number[] = []
    for (const _ of [1, 2]) {
      const [one, other] = [await student(world, place), await student(world, place)]
      const scale_team = { team_id: await closedTeam(one.client, place.project), user_id: other.id, begin_at: BEGINS }
      others.push((await world.director.post('/v2/scale_teams', { scale_team })).json.id)
    }
    const [first, second] = others as [number, number]
    // Turned round, so that an order by the corrector is none by the id.
    await world.database.rows(
      `update scale_teams s set user_id = o.user_id from scale_teams o
       where (s.id, o.id) in (($1::int, $2::int), ($2::int, $1::int))`,
      [first, second],
    )
    const query = `filter[id]=${first},${second}`
    for (const [sort, reported] of [
      ['user_id', [second, first]],
      ['-user_id', [first, second]],
      ['-team_id', [second, first]],
    ] as const) {
      assert.deepEqual(await ids(tutor, `/v2/scale_teams?${query}&sort=${sort}`), reported, sort)
    }
    assert.deepEqual(await ids(stranger.client, `/v2/scale_teams?${query}&sort=user_id,id`), [first, second])
    assert.deepEqual(await ids(stranger.client, `/v2/scale_teams?${query}&sort=-user_id,id`), [first, second])
    assert.deepEqual(await ids(stranger.client, `/v2/scale_teams?${query}&sort=-team_id,id`), [first, second])
  })

  it('is not included in documents of JSON:API', async () => {
    for (const path of [
      `/v2/scale_teams/${evaluation}?include=corrector,correcteds,team,team.users`,
      `/v2/teams/${team}?include=scale_teams,scale_teams.corrector,scale_teams.team`,
      `/v2/slots?filter[id]=${slots.join(',')}&include=user,scale_team,scale_team.corrector`,
    ]) {
      const { status, json, text } = await stranger.client.get(path, JSON_API)
      assert.equal(status, path.includes('team.users') ? 400 : 200, text)
      if (status !== 200) continue
      assert.deepEqual(json.included, [], path)
      assert.doesNotMatch(JSON.stringify(json), new RegExp(`"users","id":"(${corrector.id}|${corrected.id})"`))
    }
    const hidden = { meta: { invisible: true } }
    const { json } = await stranger.client.get(
      `/v2/scale_teams/${evaluation}?include=corrector,correcteds,team`,
      JSON_API,
    )
    const { corrector: one, correcteds: other, team: othersOwn } = json.data.relationships
    assert.deepEqual([one, other, othersOwn, json.included], [hidden, hidden, hidden, []])
    const reported = (await tutor.get(`/v2/scale_teams/${evaluation}?include=corrector,team`, JSON_API)).json
    assert.deepEqual(reported.included.map(({ type }: { type: string }) => type).sort(), ['teams', 'users'])
  })

  it('is hidden in slots, also in those that are free', async () => {
    const [free] = await offered(world, corrector.id, '2026-03-02T15:00:00Z', 15)
    const see = async (client: Client, id: number) => {
      const { json } = await client.get(`/v2/slots/${id}`)
      return [json.user?.id ?? json.user, json.scale_team?.id ?? json.scale_team]
    }
    assert.deepEqual(await see(stranger.client, slots[0] as number), ['invisible', 'invisible'])
    assert.deepEqual(await see(stranger.client, free as number), ['invisible', null])
    assert.deepEqual(await see(corrected.client, slots[0] as number), ['invisible', 'invisible'])
    assert.deepEqual(await see(corrector.client, slots[0] as number), [corrector.id, 'invisible'])
    assert.deepEqual(await see(tutor, slots[0] as number), [corrector.id, evaluation])
    const sorted = await ids(stranger.client, '/v2/slots?sort=-user_id,id')
    assert.deepEqual(
      sorted,
      [...sorted].sort((one: number, other: number) => one - other),
    )
  })

  it('is told to everybody a quarter of an hour before, and once the evaluation is filled', async () => {
    await at('2026-03-02T11:44:59.000Z', async () => {
      const { json } = await stranger.client.get(`/v2/scale_teams/${evaluation}`)
      assert.equal(json.corrector, 'invisible')
    })
    await at(SHOWN_FROM, async () => {
      const { json } = await stranger.client.get(`/v2/scale_teams/${evaluation}`)
      assert.deepEqual([json.corrector.id, json.correcteds[0].id, json.team.id], [corrector.id, corrected.id, team])
      for (const looked of byCorrector()) {
        if (looked.finds === 'evaluation') assert.equal(await finds(stranger.client, looked), true, looked.path)
      }
      assert.equal((await stranger.client.get(`/v2/teams/${team}`)).json.scale_teams[0].id, evaluation)
      const slot = (await stranger.client.get(`/v2/slots/${slots[0]}`)).json
      assert.deepEqual(
        [slot.user, slot.scale_team.corrector.id, slot.scale_team.correcteds[0].id],
        ['invisible', corrector.id, corrected.id],
      )
    })
    const [one, other] = [await student(world, place), await student(world, place)]
    const scale_team = { team_id: await closedTeam(one.client, place.project), user_id: other.id, begin_at: BEGINS }
    const { json: early } = await world.director.post('/v2/scale_teams', {
      scale_team: { ...scale_team, final_mark: 80 },
    })
    assert.equal((await stranger.client.get(`/v2/scale_teams/${early.id}`)).json.corrector.id, other.id)
  })

  it('is not told by refusals either', async () => {
    const other = await student(world, place)
    const elsewhere = await closedTeam(other.client, place.project)
    const path = `/v2/scale_teams/${evaluation}`
    for (const answer of [
      await other.client.patch(path, { scale_team: { final_mark: 1 } }),
      await other.client.delete(path),
    ]) {
      assert.equal(answer.status, 403)
      assert.doesNotMatch(answer.text, new RegExp(`\\b(${corrector.id}|${corrected.id})\\b`))
    }
    // A booked user, one without slots and one who evaluates the team already are refused with one message.
    const texts = new Set<string>()
    for (const [client, team_id, user_id] of [
      [other.client, elsewhere, corrector.id],
      [other.client, elsewhere, stranger.id],
      [corrected.client, team, corrector.id],
    ] as const) {
      const { status, text } = await client.post('/v2/scale_teams', {
        scale_team: { team_id, user_id, begin_at: BEGINS },
      })
      assert.equal(status, 422)
      texts.add(text)
    }
    assert.deepEqual([...texts].length, 1, [...texts].join(' '))
  })

  it('is in the order of what is told, and in totals, whichever page is asked for', async () => {
    await world.database.rows(
      `insert into scale_teams (scale_id, team_id, user_id, begin_at, filled_at)
       select scale_id, team_id, case n % 3 when 0 then $2::int when 1 then $3::int end, begin_at + n % 5 * interval '1 hour' - n % 4 * interval '1 hour',
         case when n % 7 = 0 then $4::timestamptz end
       from scale_teams, generate_series(1, 40) n where id = $1`,
      [evaluation, corrector.id, stranger.id, NOW],
    )
    for (const [client, person] of [
      [strangersApplication, null],
      [stranger.client, stranger.id],
    ] as const) {
      const reported = `not (begin_at > timestamptz '${NOW}' + interval '15 minutes' and filled_at is null and not coalesce(user_id = ${person}::int, false))`
      const expected = async (where: string, order: string) =>
        (await world.database.rows(`select id from scale_teams where ${where} order by ${order}`)).flat().map(Number)
      for (const [sort, order] of [
        ['user_id', `case when ${reported} then user_id end, begin_at, id`],
        ['-user_id', `case when ${reported} then user_id end desc, begin_at desc, id desc`],
      ] as const) {
        const sorted = await expected('true', order)
        assert.ok(sorted.length > 40)
        for (const [page, size] of [1, 3, 5, 7, 8].flatMap((page) => [[page, 7] as const, [page, 100] as const])) {
          assert.deepEqual(
            await ids(client, `/v2/scale_teams?sort=${sort}&per_page=${size}&page=${page}`),
            sorted.slice((page - 1) * size, page * size),
            `${sort} page ${page}`,
          )
        }
      }
      for (const [query, where] of [
        [`filter[user_id]=${corrector.id}`, `user_id = ${corrector.id} and ${reported}`],
        [`range[user_id]=${stranger.id},`, `user_id >= ${stranger.id} and ${reported}`],
        [`filter[user_id]=`, `user_id is null and ${reported}`],
        [
          `range[user_id]=,${corrector.id}&filter[filled]=false`,
          `user_id <= ${corrector.id} and filled_at is null and ${reported}`,
        ],
        ['filter[future]=false', `begin_at is null or begin_at <= '${NOW}'`],
        ['filter[future]=true', `begin_at > '${NOW}'`],
        ['filter[future]=false&filter[filled]=true', `begin_at <= '${NOW}' and filled_at is not null`],
      ] as const) {
        const found = await expected(where, 'begin_at desc nulls first, id desc')
        const { headers } = await client.get(`/v2/scale_teams?${query}`)
        assert.equal(headers.get('x-total'), String(found.length), query)
        assert.deepEqual(await ids(client, `/v2/scale_teams?${query}&per_page=100`), found, query)
      }
    }
  })
})
