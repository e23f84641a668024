import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const EMBEDDED = [
  ...['id', 'name', 'slug', 'kind', 'internal_name', 'description', 'cursus_id', 'campus_id'],
  ...['created_at', 'updated_at', 'grade_id', 'position', 'grade'],
]
const NOW = '2026-03-02T10:00:00.000Z'

describe('quests', () => {
  let world: World
  let director: Client
  let tutor: Client
  let place: number
  let course: number

  before(async () => {
    world = await campus()
    director = await world.caller({ roles: ['Advanced Staff', 'Basic Tutor'] })
    tutor = await world.caller({ roles: ['Basic Tutor'] })
    place = await world.build.campus()
    course = await world.build.cursus()
  })
  after(() => world.close())

  const ids = async (path: string, client = tutor) => {
    const response = await client.get(path)
    assert.equal(response.status, 200, response.text)
    return response.json.map((record: { id: number }) => record.id)
  }

  it('live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(director, {
      resource: 'quests',
      singular: 'quest',
      payloads: [
        {
          name: 'Common Core Rank 01',
          kind: 'main',
          description: 'Three projects',
          cursus_id: course,
          campus_id: place,
          position: 2,
          duration: '',
          tries_number: '',
          mails: 'a@b.example',
          guild_size: 3,
        },
        { name: 'Optional', kind: 'optional', internal_name: 'opt' },
      ],
      sort: 'slug',
      change: { description: 'Four projects', kind: 'mandatory' },
      ownCreateForm: true,
    })
    const onCreation = ['guild_size', 'guild_prct', 'mails', 'duration', 'ancestry']
    assert.deepEqual(Object.keys(first), [...EMBEDDED, 'cursus', 'campus', ...onCreation])
    const { cursus, campus: where, ...rest } = first
    assert.deepEqual([cursus.id, where.id], [course, place])
    assert.deepEqual(rest, {
      id: first.id,
      name: 'Common Core Rank 01',
      slug: 'common-core-rank-01',
      kind: 'main',
      internal_name: null,
      description: 'Three projects',
      cursus_id: course,
      campus_id: place,
      created_at: NOW,
      updated_at: NOW,
      grade_id: null,
      position: 2,
      grade: null,
      guild_size: 3,
      guild_prct: null,
      mails: 'a@b.example',
      duration: null,
      ancestry: null,
    })
    const shown = (await tutor.get('/v2/quests/common-core-rank-01')).json
    assert.deepEqual(Object.keys(shown), [...EMBEDDED, 'cursus', 'campus'])
    assert.deepEqual(await ids(`/v2/cursus/${course}/quests`), [first.id])
    assert.deepEqual(await ids(`/v2/campus/${place}/quests`), [first.id])
    assert.equal((await tutor.get('/v2/quests?filter[tries_number]=1')).status, 400)
  })

  it('are followed by users, whose way lives through creation, lists, changes and removal', async () => {
    const quest = await world.build.record('quests', { name: 'Way', slug: 'way', kind: 'main' })
    const [ada, ben] = [await world.build.user(), await world.build.user()]
    const [first] = await assertLifecycle(director, {
      resource: 'quests_users',
      singular: 'quests_user',
      payloads: [
        { quest_id: quest, user_id: ada, end_at: '2026-09-01' },
        { quest_id: quest, user_id: ben, prct: '50', advancement: 'half' },
      ],
      sort: 'user_id',
      change: { validated_at: '2026-02-02T00:00:00.000Z', prct: 100 },
    })
    assert.deepEqual(Object.keys(first), [
      ...['id', 'end_at', 'quest_id', 'validated_at', 'prct', 'advancement', 'created_at', 'updated_at'],
      ...['user', 'quest'],
    ])
    assert.deepEqual(Object.keys(first.quest), EMBEDDED)
    assert.equal(first.user.id, ada)
    assert.deepEqual([first.end_at, first.prct], ['2026-09-01T00:00:00.000Z', null])
    for (const [path, expected] of [
      [`/v2/users/${ada}/quests_users`, first.id],
      ['/v2/quests/way/quests_users', first.id],
      ['/v2/quests/way/quests_users?filter[end]=true&filter[validated]=true', first.id],
      ['/v2/quests/way/users', ada],
    ]) {
      assert.deepEqual(await ids(String(path), world.visitor), [expected], String(path))
    }
    assert.deepEqual(await ids(`/v2/users/${ada}/quests`), [quest])
    await world.build.record('campus_users', { user_id: ada, campus_id: place })
    assert.deepEqual(await ids(`/v2/quests_users?filter[campus_id]=${place}`, world.visitor), [first.id])
    const graph = await world.visitor.get('/v2/quests/way/quests_users/graph/on/validated_at/by/month')
    assert.deepEqual(graph.json, { '2026-02-01': 1, '2026-03-01': 0 })
  })

  it('are followed once by each user', async () => {
    const quest = await world.build.record('quests', { name: 'Once', slug: 'once', kind: 'main' })
    const user_id = await world.build.user()
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => director.post('/v2/quests/once/quests_users', { quests_user: { user_id } })),
    )
    assert.deepEqual(tries.map(({ status }) => status).sort(), [201, 422, 422, 422, 422])
    const refused = await director.post('/v2/quests_users', { quests_user: { user_id, quest_id: quest } })
    assert.deepEqual(refused.json.errors, { user_id: ['has already been taken'] })
    assert.equal((await ids(`/v2/users/${user_id}/quests_users`)).length, 1)
  })

  it('know which values are wrong, and leave nothing behind', async () => {
    const before = (await tutor.get('/v2/quests')).headers.get('x-total')
    const create = (quest: object) => director.post('/v2/quests', { quest })
    for (const [values, errors] of [
      [{}, { name: ["can't be blank"], kind: ["can't be blank"] }],
      [
        { name: 'A', kind: 'side' },
        { kind: ['is not included in the list: main, optional, mandatory, repeatable, cursus_version'] },
      ],
      [{ name: 'Once', kind: 'main' }, { slug: ['has already been taken'] }],
      [{ name: 'A', kind: 'main', cursus_id: 999_999 }, { cursus_id: ['must exist'] }],
    ] as const) {
      const refused = await create(values)
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(refused.json.errors, errors)
    }
    assert.equal((await tutor.get('/v2/quests')).headers.get('x-total'), before)
  })

  it('are read by everybody, as are the ways of users, and both written by advanced staff', async () => {
    const id = await world.build.record('quests', { name: 'Held', slug: 'held', kind: 'main' })
    const user = await world.build.user()
    const way = await world.build.record('quests_users', { quest_id: id, user_id: user })
    for (const path of ['/v2/quests', `/v2/quests/${id}`, `/v2/users/${user}/quests`, `/v2/campus/${place}/quests`]) {
      assert.equal((await world.visitor.get(path)).status, 200, path)
    }
    assert.equal((await world.visitor.get(`/v2/quests_users/${way}`)).status, 200)
    for (const caller of [tutor, world.staff, world.visitor]) {
      for (const path of ['/v2/quests', '/v2/quests_users', `/v2/users/${user}/quests_users`]) {
        assert.equal((await caller.post(path, {})).status, 403)
      }
      for (const path of [`/v2/quests/${id}`, `/v2/quests_users/${way}`]) {
        assert.equal((await caller.patch(path, {})).status, 403)
        assert.equal((await caller.delete(path)).status, 403)
      }
    }
  })
})
