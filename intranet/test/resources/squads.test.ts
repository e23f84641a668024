import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'

describe('squads', () => {
  let world: World
  let tutor: Client
  let [here, there] = [0, 0]

  before(async () => {
    world = await campus({ now: NOW })
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
    const bloc = { campus_id: await world.build.campus(), cursus_id: await world.build.cursus(), squad_size: 3 }
    here = await world.build.record('blocs', bloc)
    there = await world.build.record('blocs', bloc)
  })
  after(() => world.close())

  const ids = async (path: string) => {
    const { status, json, text } = await tutor.get(path)
    assert.equal(status, 200, text)
    return json.map(({ id }: { id: number }) => id)
  }
  const refused = (answer: { status: number; json: { errors: unknown } }, errors: unknown) =>
    assert.deepEqual([answer.status, answer.json.errors], [422, errors])

  it('are founded with their people, of whom it is settled later that they belong to them', async () => {
    const [ada, ben] = [await world.build.user({ login: 'ada' }), await world.build.user({ login: 'ben' })]
    const squads_users_attributes = [
      { user_id: ada, leader: true, validated: true },
      { user_id: String(ben), validated: 'true' },
    ]
    const made = await tutor.post('/v2/squads', { squad: { bloc_id: here, squads_users_attributes } })
    assert.equal(made.status, 201, made.text)
    const { id, squads_users } = made.json
    const times = { created_at: NOW, updated_at: NOW }
    assert.deepEqual(made.json, {
      id,
      bloc_id: here,
      locked_at: null,
      squads_users: [
        {
          id: squads_users[0].id,
          squad_id: id,
          leader: true,
          validated: false,
          ...times,
          user: { id: ada, login: 'ada' },
        },
        {
          id: squads_users[1].id,
          squad_id: id,
          leader: false,
          validated: false,
          ...times,
          user: { id: ben, login: 'ben' },
        },
      ],
      ...times,
      bloc: {
        id: here,
        ...(({ campus_id, cursus_id }) => ({ campus_id, cursus_id }))((await tutor.get(`/v2/blocs/${here}`)).json),
        squad_size: 3,
        ...(({ created_at, updated_at }) => ({ created_at, updated_at }))((await tutor.get(`/v2/blocs/${here}`)).json),
      },
    })
    const path = `/v2/squads_users/${squads_users[1].id}`
    assert.equal((await tutor.patch(path, { squads_user: { validated: true } })).status, 204)
    const { validated, user } = (await tutor.get(path)).json
    assert.deepEqual([validated, user], [true, { id: ben, login: 'ben' }])
    const removal = { squads_users_attributes: [{ id: squads_users[0].id, _destroy: true }] }
    assert.equal((await tutor.put(`/v2/squads/${id}`, { squad: { ...removal, locked_at: '2026-03-03' } })).status, 204)
    const left = (await tutor.get(`/v2/blocs/${here}/squads/${id}`)).json
    assert.deepEqual(
      [left.locked_at, left.squads_users.map((one: { id: number }) => one.id)],
      ['2026-03-03T00:00:00.000Z', [squads_users[1].id]],
    )
  })

  it('come with a wrapper and without, as the documentation has both', async () => {
    const user_id = await world.build.user()
    const bare = { locked_at: null, squads_users_attributes: [{ user_id, leader: 'true' }] }
    const made = await tutor.post(`/v2/blocs/${here}/squads`, bare)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.json.bloc_id, made.json.squads_users[0].leader], [here, true])
    const form = new URLSearchParams({ bloc_id: String(here), 'squads_users_attributes[][user_id]': String(user_id) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await tutor.post('/v2/squads', form.toString(), headers)).json.squads_users.length, 1)
    const query = new URLSearchParams({ 'squad[bloc_id]': String(here) })
    assert.equal((await tutor.post(`/v2/squads?${query}`)).status, 201)
    assert.equal((await tutor.patch(`/v2/squads/${made.json.id}`, { locked_at: NOW })).status, 204)
    assert.equal((await tutor.get(`/v2/squads/${made.json.id}`)).json.locked_at, NOW)
    assert.equal((await tutor.post('/v2/squads', {})).status, 400)
    refused(await tutor.post('/v2/squads', { locked_at: NOW }), { bloc_id: ["can't be blank"] })
    refused(await tutor.post(`/v2/blocs/${here}/squads`, { bloc_id: there }), {
      bloc_id: [`must be ${here} or left out, since the path says so`],
    })
    refused(await tutor.post(`/v2/blocs/${here}/squads`, { colour: 'red' }), { colour: ['is not accepted'] })
  })

  it('are listed, shown and removed below their bloc and by themselves', async () => {
    const [mine, othersOwn] = [
      await world.build.record('squads', { bloc_id: here, locked_at: NOW }),
      await world.build.record('squads', { bloc_id: there }),
    ]
    const [ada, ben] = [await world.build.user(), await world.build.user()]
    const joined = await tutor.post(`/v2/blocs/${there}/squads_users`, {
      squads_user: { squad_id: othersOwn, user_id: ada, validated: true },
    })
    assert.equal(joined.status, 201, joined.text)
    assert.deepEqual(joined.json, {
      id: joined.json.id,
      squad_id: othersOwn,
      leader: false,
      validated: false,
      created_at: NOW,
      updated_at: NOW,
      user: (({ id, login }) => ({ id, login }))((await tutor.get(`/v2/users/${ada}`)).json),
    })
    assert.deepEqual(await ids(`/v2/blocs/${there}/squads`), [othersOwn])
    assert.deepEqual(await ids(`/v2/blocs/${there}/squads_users`), [joined.json.id])
    assert.deepEqual(await ids(`/v2/blocs/${there}/squads_users?filter[leader]=true`), [])
    assert.deepEqual(await ids('/v2/squads?filter[locked]=false&sort=-id&per_page=1'), [othersOwn])
    assert.deepEqual(await ids(`/v2/squads?filter[locked]=true&filter[id]=${mine},${othersOwn}`), [mine])
    const stray = { squads_user: { squad_id: mine, user_id: ben } }
    refused(await tutor.post(`/v2/blocs/${there}/squads_users`, stray), {
      base: ['does not belong to the bloc in the path'],
    })
    assert.equal((await tutor.get(`/v2/blocs/${here}/squads/${othersOwn}`)).status, 404)
    assert.equal((await tutor.delete(`/v2/blocs/${here}/squads/${othersOwn}`)).status, 404)
    assert.equal((await tutor.delete(`/v2/blocs/${here}/squads_users/${joined.json.id}`)).status, 404)
    refused(await tutor.post('/v2/squads_users', { squad_id: othersOwn, user_id: ada }), {
      user_id: ['has already been taken'],
    })
    assert.equal((await tutor.delete(`/v2/blocs/${there}/squads_users/${joined.json.id}`)).status, 204)
    assert.equal((await tutor.delete(`/v2/blocs/${there}/squads/${othersOwn}`)).status, 204)
    assert.equal((await tutor.delete(`/v2/squads/${mine}`)).status, 204)
    assert.equal((await tutor.get(`/v2/squads/${othersOwn}`)).status, 404)
    refused(await world.director.delete(`/v2/blocs/${here}`), {
      base: [`is still used by ${(await ids(`/v2/blocs/${here}/squads?per_page=100`)).length} squads`],
    })
  })
})
