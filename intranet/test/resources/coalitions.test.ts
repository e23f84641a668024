import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

/** Resources of one kind: something that users belong to by a table between. */
const FAMILIES = [
  {
    resource: 'coalitions',
    singular: 'coalition',
    needs: { bloc_id: 1, color: '#00Aa11' },
    payloads: [{ name: 'Alders', image_url: 'https://cdn.example/a.svg', score: '12' }, { name: 'Birches' }],
    change: { score: 40, cover_url: 'https://cdn.example/b.jpg' },
    record: {
      name: 'Alders',
      slug: 'alders',
      image_url: 'https://cdn.example/a.svg',
      cover_url: null,
      color: '#00Aa11',
      score: 12,
      user_id: null,
    },
    wrong: [
      [{}, 'name'],
      [{ name: 'A', color: 'red' }, 'color'],
      [{ name: 'A', color: '' }, 'color'],
      [{ name: 'A', bloc_id: null }, 'bloc_id'],
      [{ name: 'A', bloc_id: 999_999 }, 'bloc_id'],
      [{ name: 'Alders' }, 'name'],
      [{ name: 'A', slug: 'alders' }, 'slug'],
      [{ name: 'A', user_id: 999_999 }, 'user_id'],
    ],
    readers: 'open',
    ofUser: { score: 3 },
    showsOfUser: { rank: 1 },
  },
  {
    resource: 'dashes',
    singular: 'dash',
    needs: {},
    payloads: [
      { name: 'Night of shell', nbr_xp: '1500', begin_at: '2026-03-06T20:00:00Z', end_at: '2026-03-07T08:00:00Z' },
      { name: 'Weekend of graphs', description: 'Two days' },
    ],
    change: { nbr_xp: '2000', description: 'Twelve hours' },
    record: {
      name: 'Night of shell',
      description: null,
      slug: 'night-of-shell',
      cursus_id: null,
      campus_id: null,
      skill_id: null,
      nbr_xp: '1500',
      begin_at: '2026-03-06T20:00:00.000Z',
      end_at: '2026-03-07T08:00:00.000Z',
    },
    wrong: [
      [{}, 'name'],
      [{ name: 'A', begin_at: '2026-03-07', end_at: '2026-03-06' }, 'end_at'],
      [{ name: 'Night of shell' }, 'slug'],
      [{ name: 'A', skill_id: 999_999 }, 'skill_id'],
    ],
    readers: 'open',
    ofUser: {},
    showsOfUser: {},
  },
  {
    resource: 'accreditations',
    singular: 'accreditation',
    needs: {},
    payloads: [{ name: 'Assistant', validated: 'true', difficulty: 3 }, { name: 'Bursar' }],
    change: { difficulty: 4, validated: false },
    record: { name: 'Assistant', user_id: null, cursus_id: null, validated: true, difficulty: 3 },
    wrong: [
      [{}, 'name'],
      [{ name: 'A', validated: 'perhaps' }, 'validated'],
      [{ name: 'A', cursus_id: 999_999 }, 'cursus_id'],
    ],
    readers: 'tutors',
    ofUser: {},
    showsOfUser: {},
  },
] as const

for (const { resource, singular, needs, payloads, change, record, wrong, readers, ofUser, showsOfUser } of FAMILIES) {
  describe(resource, () => {
    let world: World
    let director: Client

    before(async () => {
      world = await campus()
      director = world.director
      await world.build.record('blocs', {
        campus_id: await world.build.campus(),
        cursus_id: await world.build.cursus(),
      })
    })
    after(() => world.close())

    const ids = async (path: string, client = director) => {
      const response = await client.get(path)
      assert.equal(response.status, 200, response.text)
      return response.json.map(({ id }: { id: number }) => id)
    }

    it('live through creation, lists, changes and removal', async () => {
      const [first] = await assertLifecycle(director, {
        resource,
        singular,
        payloads: [
          { ...needs, ...payloads[0] },
          { ...needs, ...payloads[1] },
        ],
        sort: 'name',
        change,
      })
      assert.deepEqual(first, { id: first.id, ...record })
      assert.deepEqual(Object.keys(first), ['id', ...Object.keys(record)])
      if ('slug' in record) assert.equal((await director.get(`/v2/${resource}/${record.slug}`)).json.id, first.id)
    })

    it('know which values are wrong, and leave nothing behind', async () => {
      const before = await ids(`/v2/${resource}`)
      for (const [values, field] of wrong) {
        const refused = await director.post(`/v2/${resource}`, { [singular]: { ...needs, ...values } })
        assert.equal(refused.status, 422, refused.text)
        assert.deepEqual(Object.keys(refused.json.errors), [field])
      }
      assert.deepEqual(await ids(`/v2/${resource}`), before)
    })

    it('have users, each of them once', async () => {
      const { id } = (await director.post(`/v2/${resource}`, { [singular]: { ...needs, name: 'With people' } })).json
      const [ada, ben] = [await world.build.user(), await world.build.user()]
      const parent = `${singular}_id`
      const [first] = await assertLifecycle(director, {
        resource: `${resource}_users`,
        singular: `${resource}_user`,
        payloads: [
          { [parent]: id, user_id: ada, ...ofUser },
          { [parent]: id, user_id: ben },
        ],
        sort: 'user_id',
        change: { user_id: ada },
      })
      assert.deepEqual(first, {
        id: first.id,
        [parent]: id,
        user_id: ada,
        ...ofUser,
        ...showsOfUser,
        created_at: '2026-03-02T10:00:00.000Z',
        updated_at: '2026-03-02T10:00:00.000Z',
      })
      const tries = await Promise.all(
        Array.from({ length: 4 }, () =>
          director.post(`/v2/${resource}/${id}/${resource}_users`, { [`${resource}_user`]: { user_id: ben } }),
        ),
      )
      assert.deepEqual(tries.map(({ status }) => status).sort(), [201, 422, 422, 422])
      const again = await director.post(`/v2/users/${ada}/${resource}_users`, {
        [`${resource}_user`]: { [parent]: id },
      })
      assert.deepEqual(again.json.errors, { user_id: ['has already been taken'] })
      assert.deepEqual(await ids(`/v2/${resource}/${id}/users`, world.visitor), [ben, ada])
      assert.deepEqual(await ids(`/v2/users/${ben}/${resource}`), [id])
      assert.deepEqual(await ids(`/v2/users/${ada}/${resource}_users`), [first.id])
    })

    it(`are ${readers === 'open' ? 'read by everybody' : 'read by tutors'} and written by advanced staff`, async () => {
      const id = await world.build.record(resource, { name: 'Held', ...('slug' in record ? { slug: 'held' } : {}) })
      const user = await world.build.user()
      const joinSql = await world.build.record(`${resource}_users`, { user_id: user, [`${singular}_id`]: id })
      const paths = [
        `/v2/${resource}`,
        `/v2/${resource}/${id}`,
        `/v2/${resource}_users`,
        `/v2/users/${user}/${resource}`,
      ]
      const tutor = await world.caller({ roles: ['Basic Tutor'] })
      for (const path of paths) {
        assert.equal((await tutor.get(path)).status, 200)
        assert.equal((await world.visitor.get(path)).status, readers === 'open' ? 200 : 403)
      }
      for (const caller of [tutor, world.staff, world.visitor]) {
        for (const name of [resource, `${resource}_users`])
          assert.equal((await caller.post(`/v2/${name}`, {})).status, 403)
        for (const path of [`/v2/${resource}/${id}`, `/v2/${resource}_users/${joinSql}`]) {
          assert.equal((await caller.patch(path, {})).status, 403)
          assert.equal((await caller.delete(path)).status, 403)
        }
      }
      assert.equal((await tutor.get(`/v2/${resource}_users/${joinSql}`)).status, 200)
    })
  })
}

describe('dashes and accreditations', () => {
  it('are listed under the cursus and the campus that they belong to', async () => {
    const world = await campus()
    const [place, course] = [await world.build.campus(), await world.build.cursus()]
    const dash = await world.build.record('dashes', { name: 'D', slug: 'd', campus_id: place, cursus_id: course })
    const accreditation = await world.build.record('accreditations', { name: 'A', cursus_id: course })
    for (const [path, id] of [
      [`/v2/campus/${place}/dashes`, dash],
      [`/v2/cursus/${course}/dashes`, dash],
      [`/v2/cursus/${course}/accreditations`, accreditation],
    ] as const) {
      assert.deepEqual(
        (await world.director.get(path)).json.map((record: { id: number }) => record.id),
        [id],
      )
    }
    await world.close()
  })
})
