import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const NOW = '2026-03-02T10:00:00.000Z'
const FLASH = { title: 'Lunch', content: '<p>It is <b>free</b></p>', identifier: 'lunch', duration: '10' }

describe('flashes', () => {
  let world: World
  let tutor: Client

  before(async () => {
    world = await openCampus({ now: NOW })
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
  })
  after(() => world.close())

  it('live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(tutor, {
      resource: 'flashes',
      singular: 'flash',
      payloads: [FLASH, { ...FLASH, title: 'Supper', selector: '#menu', url: 'https://campus.test/menu' }],
      sort: 'title',
      change: { selector: '#kitchen', duration: 20 },
    })
    const { id, ...shown } = first
    assert.deepEqual(shown, { ...FLASH, duration: 10, selector: '' })
    const missing = await tutor.post('/v2/flashes', { flash: {} })
    assert.deepEqual(Object.keys(missing.json.errors).sort(), ['content', 'duration', 'identifier', 'title'])
  })

  it('come oldest first', async () => {
    const made = []
    for (const title of ['One', 'Two']) {
      world.clock.advance(60)
      made.push((await tutor.post('/v2/flashes', { flash: { ...FLASH, title, identifier: 'order' } })).json.id)
    }
    const { json } = await tutor.get('/v2/flashes?filter[identifier]=order')
    assert.deepEqual(
      json.map(({ id }: { id: number }) => id),
      made,
    )
  })

  it('are for users, of whom each may have seen them', async () => {
    const { json: flash } = await tutor.post('/v2/flashes', { flash: FLASH })
    const { json: other } = await tutor.post('/v2/flashes', { flash: FLASH })
    const [ada, ben] = [await world.build.user({ login: 'ada' }), await world.build.user()]
    const [first] = await assertLifecycle(tutor, {
      resource: 'flash_users',
      singular: 'flash_user',
      payloads: [
        { flash_id: flash.id, user_id: ada },
        { flash_id: flash.id, user_id: String(ben), seen: 'true', end_at: NOW },
      ],
      sort: 'user_id',
      change: { seen: true },
    })
    const user = { id: ada, login: 'ada', url: `${world.url}/v2/users/ada` }
    assert.deepEqual(first, { id: first.id, flash_id: flash.id, seen: false, end_at: null, user })
    const below = await tutor.post(`/v2/flashes/${flash.id}/flash_users`, { flash_user: { user_id: ben, end_at: NOW } })
    assert.equal(below.status, 201, below.text)
    const idsOf = async (path: string) => (await tutor.get(path)).json.map(({ id }: { id: number }) => id)
    assert.deepEqual(await idsOf(`/v2/flashes/${flash.id}/flash_users?sort=id`), [first.id, below.json.id])
    assert.deepEqual(await idsOf(`/v2/flashes/${flash.id}/flash_users?filter[end]=true`), [below.json.id])
    assert.deepEqual(await idsOf('/v2/flash_users?filter[end]=false'), [first.id])
    assert.deepEqual(await idsOf(`/v2/flashes/${other.id}/flash_users`), [])
    assert.deepEqual((await tutor.get(`/v2/flashes/${flash.id}/flash_users/${first.id}`)).json.id, first.id)
    assert.equal((await tutor.get(`/v2/flashes/${other.id}/flash_users/${first.id}`)).status, 404)
    const othersOwn = await world.caller({ user: ada, scopes: ['public', 'profile'] })
    assert.equal((await othersOwn.patch(`/v2/flash_users/${first.id}`, { flash_user: { seen: false } })).status, 403)

    assert.equal((await tutor.delete(`/v2/flashes/${flash.id}`)).status, 204)
    assert.deepEqual(await idsOf('/v2/flash_users'), [])
  })
})

describe('languages', () => {
  let world: World
  let tutor: Client

  before(async () => {
    world = await openCampus({ now: NOW })
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
  })
  after(() => world.close())

  it('are written by tutors and by staff, and show when they were made only within a campus', async () => {
    const payloads = [
      { name: 'Esperanto', identifier: 'eo' },
      { name: 'Klingon', identifier: 'tlh' },
    ] as const
    const [first] = await assertLifecycle(tutor, {
      resource: 'languages',
      singular: 'language',
      payloads,
      sort: 'name',
      change: { identifier: 'epo' },
    })
    assert.deepEqual(first, { id: first.id, ...payloads[0] })
    const place = await world.build.campus({ language_id: first.id })
    const { language } = (await world.visitor.get(`/v2/campus/${place}`)).json
    assert.deepEqual(Object.keys(language), ['id', 'name', 'identifier', 'created_at', 'updated_at'])
    assert.equal((await world.director.patch(`/v2/languages/${first.id}`, { language: { name: 'E' } })).status, 204)
    const graph = (await world.visitor.get('/v2/languages/graph/on/created_at/by/year')).json
    assert.equal(typeof graph['2026-01-01'], 'number')
  })

  it('come newest first, and so do those of users', async () => {
    const [one, two] = [await world.build.language(), await world.build.language()]
    const user_id = await world.build.user()
    const post = (language_id: number) =>
      tutor.post(`/v2/users/${user_id}/languages_users`, { languages_user: { language_id } })
    const [first, second] = [await post(one), await post(two)]
    assert.deepEqual(Object.keys(first.json), ['id', 'language_id', 'user_id', 'position', 'created_at'])
    assert.deepEqual((await post(one)).json.errors, { language_id: ['has already been taken'] })
    const idsOf = async (path: string) => (await world.visitor.get(path)).json.map(({ id }: { id: number }) => id)
    assert.deepEqual((await idsOf('/v2/languages')).slice(0, 2), [two, one])
    assert.deepEqual(await idsOf(`/v2/users/${user_id}/languages_users`), [second.json.id, first.json.id])
    const change = { languages_user: { position: 3 } }
    assert.equal((await tutor.patch(`/v2/languages_users/${first.json.id}`, change)).status, 204)
    assert.equal((await tutor.delete(`/v2/languages_users/${first.json.id}`)).status, 204)
  })
})
