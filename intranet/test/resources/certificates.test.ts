import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const NOW = '2026-03-02T10:00:00.000Z'

let world: World
let tutor: Client
before(async () => {
  world = await openCampus({ now: NOW })
  tutor = await world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'] })
})
after(() => world.close())

const idsOf = async (path: string) => (await tutor.get(path)).json.map(({ id }: { id: number }) => id)

describe('certificates', () => {
  const make = async (name: string): Promise<number> =>
    (await tutor.post('/v2/certificates', { certificate: { name } })).json.id

  it('live through creation, lists, changes and removal, each under a name of its own', async () => {
    const cursus_id = await world.build.cursus()
    const [first] = await assertLifecycle(tutor, {
      resource: 'certificates',
      singular: 'certificate',
      payloads: [{ name: 'Algebra', content: 'Can count', cursus_id }, { name: 'Botany' }],
      sort: 'name',
      change: { image: 'https://files.campus.test/algebra.png' },
    })
    assert.deepEqual([first.total_certificate_number, first.cursus_id, first.image], [0, cursus_id, null])
    const again = await tutor.post('/v2/certificates', { certificate: { name: 'Algebra' } })
    assert.deepEqual(again.json.errors, { name: ['has already been taken'] })
  })

  it('are given to each user once', async () => {
    const certificate_id = await make('Cartography')
    const [ada, ben] = [await world.build.user(), await world.build.user()]
    const [first] = await assertLifecycle(tutor, {
      resource: 'certificates_users',
      singular: 'certificates_user',
      payloads: [
        { certificate_id, user_id: ada },
        { certificate_id, user_id: ben },
      ],
      sort: 'user_id',
      change: { pdf: 'https://files.campus.test/1.pdf', qrcode: 'https://files.campus.test/1.png' },
    })
    assert.deepEqual([first.certificate_number, first.certified_at, first.user.id], [1, NOW, ada])
    assert.deepEqual(first.certificate, { id: certificate_id, name: 'Cartography' })
    const again = await tutor.post('/v2/certificates_users', { certificates_user: { certificate_id, user_id: ada } })
    assert.deepEqual(again.json.errors, { user_id: ['has already been taken'] })
    for (const path of [`/v2/certificates/${certificate_id}`, `/v2/users/${ada}`])
      assert.deepEqual(await idsOf(`${path}/certificates_users`), [first.id])
    assert.equal((await tutor.get(`/v2/certificates/${certificate_id}`)).json.total_certificate_number, 1)
    const refused = await tutor.delete(`/v2/certificates/${certificate_id}`)
    assert.match(refused.json.errors.base[0], /still used by 1 certificates_users/)
    const othersOwn = await world.caller({ user: ada, scopes: ['public', 'profile'] })
    assert.equal((await othersOwn.get(`/v2/users/${ada}/certificates_users`)).status, 403)
  })

  it('are numbered one after another, however many are given at once', async () => {
    const certificate_id = await make('Dance')
    const people = await Promise.all(Array.from({ length: 12 }, () => world.build.user()))
    const given = await Promise.all(
      people.map((user_id) => tutor.post('/v2/certificates_users', { certificates_user: { certificate_id, user_id } })),
    )
    const numbers = given.map(({ json }) => json.certificate_number).sort((one, other) => one - other)
    assert.deepEqual(
      numbers,
      people.map((_, index) => index + 1),
    )
    const user_id = await world.build.user()
    const taken = { certificate_id, user_id, certificate_number: 5 }
    const refused = await tutor.post('/v2/certificates_users', { certificates_user: taken })
    assert.deepEqual(refused.json.errors, { certificate_number: ['has already been taken'] })
  })
})

describe('project data', () => {
  const build = async () => {
    const project_id = await world.build.record('projects', { name: 'P', slug: `p-${await world.build.user()}` })
    return world.build.record('project_sessions', { project_id })
  }
  const post = (values: object) => tutor.post('/v2/project_data', { project_data: values })

  it('live through creation, lists, changes and removal, as JSON text and as JSON', async () => {
    const project_session_id = await build()
    const coordinates = '[2350.0, 3450.0]'
    const [first, second] = await assertLifecycle(tutor, {
      resource: 'project_data',
      singular: 'project_data',
      payloads: [
        { coordinates, by: '[[11, 2350.0, 3450.0, 2400, 3500.5]]', kind: 'project', project_session_id },
        { coordinates: [1.5, -2], kind: 'rush', project_session_id },
      ],
      sort: 'kind',
      change: { coordinates: '[1, 2.25]' },
      shows: { coordinates: [1, 2.25] },
    })
    assert.deepEqual(first, {
      id: first.id,
      coordinates: [2350, 3450],
      by: [[11, 2350, 3450, 2400, 3500.5]],
      kind: 'project',
      project_session_id,
    })
    assert.deepEqual([second.coordinates, second.by], [[1.5, -2], []])
    const { text } = await world.visitor.get(`/v2/project_data/${first.id}`)
    assert.match(text, /"coordinates":\[1\.0,2\.25\]/, 'a whole number is written as a fraction, too')
    assert.deepEqual(await idsOf(`/v2/project_sessions/${project_session_id}/project_data`), [first.id])
    assert.deepEqual(await idsOf('/v2/project_data?filter[coordinates]=[1.0, 2.25]'), [first.id])
    assert.deepEqual(await idsOf('/v2/project_data?filter[by]=[[11,2350,3450,2400,3500.5]]'), [first.id])
    assert.deepEqual(await idsOf('/v2/project_data?filter[coordinates]=nowhere'), [])
    assert.equal((await tutor.delete(`/v2/project_sessions/${project_session_id}`)).status, 204)
    assert.equal((await tutor.get(`/v2/project_data/${first.id}`)).status, 404)
  })

  it('are places and lines of numbers', async () => {
    const project_session_id = await build()
    const good = { coordinates: '[1, 2]', kind: 'exam', project_session_id }
    for (const [values, field] of [
      [{ coordinates: '[1, 2' }, 'coordinates'],
      [{ coordinates: '[1]' }, 'coordinates'],
      [{ coordinates: '[1, null]' }, 'coordinates'],
      [{ coordinates: '{"x": 1}' }, 'coordinates'],
      [{ coordinates: '[1e999, 1]' }, 'coordinates'],
      [{ coordinates: null }, 'coordinates'],
      [{ by: '[1, 2, 3, 4, 5]' }, 'by'],
      [{ by: '[[1, 2, 3, 4]]' }, 'by'],
      [{ by: '[[1.5, 2, 3, 4, 5]]' }, 'by'],
      [{ by: `[${Array(1001).fill('[1,2,3,4,5]').join(',')}]` }, 'by'],
      [{ by: '['.repeat(70_000) }, 'by'],
      [{ by: '['.repeat(60_000) }, 'by'],
      [{ kind: 'castle' }, 'kind'],
      [{ project_session_id: 999_999 }, 'project_session_id'],
    ] as const) {
      const { status, json } = await post({ ...good, ...values })
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]], JSON.stringify(values).slice(0, 80))
    }
    assert.equal((await post({ ...good, by: null })).status, 201)
    const wrapped = await tutor.post('/v2/project_data', { project_datum: good })
    assert.equal(wrapped.status, 400)
  })
})
