import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Random } from '@campus/demo/seeds/random'
import { campus, type World } from '@campus/test/support/campus'
import { type Client, FormData } from '@campus/test/support/client'
import { fileOf, pathOf } from '@campus/test/support/uploads'

const NOW = '2026-03-02T10:00:00.000Z'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Numbered = { readonly id: number }

describe('the game of coalitions', () => {
  let world: World
  let director: Client
  let tutor: Client
  let lyon: number
  let core: number

  before(async () => {
    world = await campus({ now: NOW })
    director = world.director
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
    lyon = await world.build.campus({ slug: 'lyon' })
    core = await world.build.cursus({ slug: 'core' })
  })
  after(() => world.close())

  const ids = async (path: string, client = director) => {
    const { status, json, text } = await client.get(path)
    assert.equal(status, 200, text)
    return json.map(({ id }: Numbered) => id)
  }
  const newBloc = () => world.build.record('blocs', { campus_id: lyon, cursus_id: core, squad_size: 3 })
  let coalitions = 0
  const newCoalition = async (bloc_id: number, values: Record<string, unknown> = {}) => {
    coalitions += 1
    const name = `Coalition ${coalitions}`
    return world.build.record('coalitions', { name, slug: `coalition-${coalitions}`, bloc_id, ...values })
  }
  const member = async (coalition_id: number, score = 0) =>
    world.build.record('coalitions_users', { coalition_id, user_id: await world.build.user(), score })
  const refused = (answer: { status: number; json: { errors: unknown } }, errors: unknown) =>
    assert.deepEqual([answer.status, answer.json.errors], [422, errors])

  describe('blocs', () => {
    it('show their coalitions', async () => {
      const made = await tutor.post('/v2/blocs', { bloc: { campus_id: lyon, cursus_id: core, squad_size: 4 } })
      assert.equal(made.status, 201, made.text)
      const { id } = made.json
      const plain = { id, campus_id: lyon, cursus_id: core, squad_size: 4, created_at: NOW, updated_at: NOW }
      assert.deepEqual(made.json, { ...plain, coalitions: [] })
      const coalition = await newCoalition(id, { color: ' #00babc', score: -7 })
      const { json } = await world.visitor.get(`/v2/blocs/${id}`)
      assert.deepEqual(json, {
        ...plain,
        coalitions: [
          {
            id: coalition,
            name: `Coalition ${coalitions}`,
            slug: `coalition-${coalitions}`,
            image_url: null,
            cover_url: null,
            // Stored colours that the API would refuse are shown unchanged.
            color: ' #00babc',
            score: -7,
            user_id: null,
          },
        ],
      })
      const used = await director.delete(`/v2/blocs/${id}`)
      refused(used, { base: ['is still used by 1 coalitions'] })
    })

    it('are listed as of late by when they changed', async () => {
      const [old, fresh] = [await newBloc(), await newBloc()]
      await world.database.rows("update blocs set updated_at = '2020-01-01', coalition_delay = 3 where id = $1", [old])
      await world.database.rows("update blocs set updated_at = '2020-02-01' where id = $1", [fresh])
      const found = (query: string) => ids(`/v2/blocs?${query}`, world.visitor)
      assert.deepEqual(await found('range[updated_at]=2020-01-01,2020-03-01'), [fresh, old])
      assert.deepEqual(await found('range[updated_at]=2020-01-15T00:00:00Z,2020-03-01&sort=updated_at'), [fresh])
      assert.deepEqual(await found('filter[coalition_delay]=3'), [old])
      assert.deepEqual(await found(`filter[campus_id]=${lyon}&filter[cursus_id]=${core + 99}`), [])
    })
  })

  describe('bloc_deadlines', () => {
    it('are seasons of a bloc, of which one of its coalitions is the winner', async () => {
      const bloc_id = await newBloc()
      const [own, stranger] = [await newCoalition(bloc_id), await newCoalition(await newBloc())]
      const season = { bloc_id: String(bloc_id), begin_at: '2022-11-29', end_at: '2023-05-01' }
      const made = await tutor.post('/v2/bloc_deadlines', { bloc_deadline: season })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.json, {
        id: made.json.id,
        bloc_id,
        coalition_id: null,
        begin_at: '2022-11-29T00:00:00.000Z',
        end_at: '2023-05-01T00:00:00.000Z',
        created_at: NOW,
        updated_at: NOW,
      })
      const path = `/v2/bloc_deadlines/${made.json.id}`
      refused(await tutor.patch(path, { bloc_deadline: { coalition_id: stranger } }), {
        coalition_id: ['must be a coalition of the bloc'],
      })
      refused(await tutor.patch(path, { bloc_deadline: { end_at: '2022-11-29' } }), {
        end_at: ['must be after begin_at'],
      })
      assert.equal((await tutor.put(path, { bloc_deadline: { coalition_id: own } })).status, 204)
      assert.equal((await tutor.get(path)).json.coalition_id, own)
      assert.deepEqual(await ids(`/v2/blocs/${bloc_id}/bloc_deadlines`, tutor), [made.json.id])
      assert.deepEqual(await ids('/v2/bloc_deadlines?range[updated_at]=2026-03-02,2026-03-02', tutor), [made.json.id])
      refused(await tutor.post('/v2/bloc_deadlines', { bloc_deadline: { begin_at: '2022-11-29' } }), {
        bloc_id: ["can't be blank"],
        end_at: ["can't be blank"],
      })
      assert.equal((await director.delete(path)).status, 405)
    })
  })

  describe('coalitions', () => {
    it('are found below their bloc and their users, and by these as parameters', async () => {
      const [here, there] = [await newBloc(), await newBloc()]
      const [lynx, otter] = [await newCoalition(here), await newCoalition(there)]
      const user_id = await world.build.user({ login: 'ada' })
      await world.build.record('coalitions_users', { coalition_id: lynx, user_id })
      const found = (path: string) => ids(path, world.visitor)
      assert.deepEqual(await found(`/v2/blocs/${here}/coalitions`), [lynx])
      assert.deepEqual(await found(`/v2/coalitions?bloc_id=${there}`), [otter])
      assert.deepEqual(await found('/v2/coalitions?user_id=ada'), [lynx])
      assert.deepEqual(await found(`/v2/coalitions?user_id=${user_id}&bloc_id=${here}`), [lynx])
      assert.deepEqual(await found(`/v2/coalitions?user_id=${user_id}&bloc_id=${there}`), [])
      for (const query of ['bloc_id=999999', 'bloc_id=99999999999999', 'user_id=nobody']) {
        const { status, json, headers } = await world.visitor.get(`/v2/coalitions?${query}`)
        assert.deepEqual([status, json, headers.get('x-total')], [200, [], '0'], query)
        assert.equal(headers.get('x-unknown-parameters'), null)
      }
      for (const query of ['bloc_id=first', 'bloc_id[]=1', 'user_id[a]=1']) {
        assert.equal((await world.visitor.get(`/v2/coalitions?${query}`)).status, 400, query)
      }
      const all = await found('/v2/coalitions?per_page=100')
      assert.deepEqual(await found('/v2/coalitions?bloc_id=&user_id=&per_page=100'), all)
      const second = await world.visitor.get(`/v2/coalitions?bloc_id=${here}&per_page=1&page=2`)
      assert.match(second.headers.get('link') ?? '', new RegExp(`bloc_id=${here}`))
    })

    it('have a name of their own in the bloc, and a slug of their own everywhere', async () => {
      const [here, there] = [await newBloc(), await newBloc()]
      const found = async (bloc_id: number) =>
        tutor.post('/v2/coalitions', { coalition: { bloc_id, name: 'Foxes of Éire', color: '#00babc' } })
      const [first, second] = [await found(here), await found(there)]
      assert.deepEqual([first.json.slug, second.json.slug], ['foxes-of-eire', 'foxes-of-eire-2'])
      assert.equal(first.json.score, 0)
      refused(await found(here), { name: ['has already been taken'] })
      assert.equal((await world.visitor.get('/v2/coalitions/foxes-of-eire-2')).json.id, second.json.id)
      const twins = await Promise.all(Array.from({ length: 4 }, async () => found(await newBloc())))
      const slugs = new Set(twins.flatMap(({ status, json }) => (status === 201 ? json.slug : [])))
      assert.equal(slugs.size, twins.filter(({ status }) => status === 201).length)
      assert.ok(twins.every(({ status }) => status === 201 || status === 422))
    })

    it('take pictures as files, and show addresses at which these open', async () => {
      const bloc_id = await newBloc()
      const form = (fields: Record<string, string | Blob>) => {
        const data = new FormData()
        for (const [name, value] of Object.entries(fields)) data.append(`coalition[${name}]`, value)
        return data
      }
      const values = { bloc_id: String(bloc_id), name: 'Painted', color: '#00babc' }
      const picture = () => fileOf(PNG, 'lynx été.png')
      for (const [fields, errors] of [
        [
          { image: fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'lynx.svg') },
          { image: ['is not a picture (PNG, JPEG, GIF or WebP): its content is text/plain; charset=utf-8'] },
        ],
        [{ cover: 'lynx.png' }, { cover: ['must be a file, sent as multipart/form-data'] }],
        [{ image: fileOf('', 'lynx.png') }, { image: ['is an empty file'] }],
        [{ image: picture(), image_url: 'https://cdn.example/a.png' }, { image: ['cannot come with image_url'] }],
      ] as const) {
        refused(await tutor.post('/v2/coalitions', form({ ...values, ...(fields as object) })), errors)
      }
      const made = await tutor.post('/v2/coalitions', form({ ...values, image: picture(), cover: picture() }))
      assert.equal(made.status, 201, made.text)
      const { id, image_url, cover_url } = made.json
      for (const url of [image_url, cover_url]) {
        const file = await world.anonymous.get(pathOf(world, url))
        assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png'])
      }
      const path = `/v2/coalitions/${id}`
      const record = async () => (await tutor.get(path)).json
      const updatedAt = async () =>
        (await world.database.rows('select updated_at from coalitions where id = $1', [id]))[0]
      // Sent back as it was shown, the picture stays, and nothing changes.
      world.clock.advance(60)
      const before = await updatedAt()
      assert.equal((await tutor.patch(path, { coalition: { image_url, cover_url, color: '#00babc' } })).status, 204)
      assert.deepEqual([await record(), await updatedAt()], [made.json, before])
      const other = 'https://cdn.example/files/1/a.png'
      assert.equal((await tutor.patch(path, { coalition: { image_url: other, cover: null } })).status, 204)
      assert.deepEqual(await record(), { ...made.json, image_url: other, cover_url: null })
      assert.equal((await tutor.put(path, form({ image: picture() }))).status, 204)
      assert.equal((await record()).image_url, image_url)
      assert.deepEqual(await ids('/v2/coalitions?filter[image]=lynx%20%C3%A9t%C3%A9.png'), [id])
      world.clock.set(NOW)
    })
  })

  describe('the rank of a member', () => {
    const rankOf = async (id: number) => (await world.visitor.get(`/v2/coalitions_users/${id}`)).json.rank

    it('is their place in their coalition, shared by those with the same points', async () => {
      const [here, there] = [await newCoalition(await newBloc()), await newCoalition(await newBloc())]
      const [best, second, alsoSecond, last] = [
        await member(here, 900),
        await member(here, 30),
        await member(here, 30),
        await member(here, -5),
      ] as const
      const stranger = await member(there, 500)
      const places = async () => Promise.all([best, second, alsoSecond, last, stranger].map(rankOf))
      assert.deepEqual(await places(), [1, 2, 2, 4, 1])
      const list = await world.visitor.get(`/v2/coalitions/${here}/coalitions_users?sort=-score,id`)
      assert.deepEqual(
        list.json.map(({ id, score, rank }: Record<string, number>) => [id, score, rank]),
        [
          [best, 900, 1],
          [second, 30, 2],
          [alsoSecond, 30, 2],
          [last, -5, 4],
        ],
      )
      // Some clients move people with nothing but this.
      const move = { coalitions_user: { coalition_id: there } }
      assert.equal((await tutor.patch(`/v2/coalitions_users/${best}`, move)).status, 204)
      assert.deepEqual(await places(), [1, 1, 1, 3, 2])
      const points = { coalitions_user: { this_year_score: '31' } }
      assert.equal((await tutor.patch(`/v2/coalitions_users/${last}`, points)).status, 204)
      assert.deepEqual(await places(), [1, 2, 2, 1, 2])
      assert.equal((await tutor.delete(`/v2/coalitions_users/${last}`)).status, 204)
      assert.deepEqual(await rankOf(second), 1)
    })

    it('is what counting all members says, whatever was done to them', async () => {
      const { database } = world
      const chance = new Random(11, 'ranks')
      const bloc = await newBloc()
      const places = [await newCoalition(bloc), await newCoalition(bloc), await newCoalition(bloc)]
      await database.rows(
        `insert into users (login, email, first_name, last_name, kind)
         select 'rank' || n, 'rank' || n || '@campus.test', 'R', 'K', 'student' from generate_series(1, 300) n`,
      )
      await database.rows(
        `insert into coalitions_users (coalition_id, user_id, score)
         select $1, id, (id * 7919) % 700 - 100 from users where login ~ '^rank[0-9]+$'`,
        [places[0]],
      )
      for (let step = 0; step < 60; step += 1) {
        const which = `user_id in (select id from users where login ~ '^rank[0-9]*${chance.integer(0, 9)}$')`
        const from = `${which} and coalition_id in (${places.join(', ')})`
        const statement = chance.pick([
          `update coalitions_users set score = score + ${chance.integer(-300, 300)} where ${from}`,
          `update coalitions_users set score = ${chance.integer(-70_000, 70_000)} where ${from} and id % 3 = 0`,
          `update coalitions_users set coalition_id = ${chance.pick(places)} where ${from}`,
          `update coalitions_users set updated_at = now() where ${from}`,
          `delete from coalitions_users where ${from} and id % 29 = 0`,
        ])
        await database.rows(statement)
      }
      const wrong = await database.rows(
        `select * from (
           select id, rank() over (partition by coalition_id order by score desc) as plain,
             place_in_coalition(coalition_id, score) as told from coalitions_users
         ) ranks where plain <> told`,
      )
      assert.deepEqual(wrong, [])
      const [row] = await database.rows(
        `select count(*) from coalitions_users where coalition_id in (${places.join(', ')})`,
      )
      assert.ok(Number(row?.[0]) > 50, 'some are left')
    })

    it('costs a page no look at the other members, however many they are', async () => {
      const { database } = world
      const [coalition] = await database.rows(
        'select coalition_id from coalitions_users group by 1 order by count(*) desc limit 1',
      )
      const id = await member(Number(coalition?.[0]), 1)
      const plan = await database.rows(
        `explain (analyze, format json) select place_in_coalition(coalition_id, score) from coalitions_users where id = ${id}`,
      )
      assert.doesNotMatch(JSON.stringify(plan), /Seq Scan[^}]*coalitions_users/)
      const functions = await database.rows("select prosrc from pg_proc where proname = 'place_in_coalition'")
      assert.doesNotMatch(String(functions), /coalitions_users/)
    })

    it('comes with the score under both names, which must agree', async () => {
      const coalition_id = await newCoalition(await newBloc())
      const user_id = await world.build.user()
      const join = (values: object) =>
        tutor.post(`/v2/coalitions/${coalition_id}/coalitions_users`, { coalitions_user: { user_id, ...values } })
      refused(await join({ score: 3, this_year_score: 4 }), {
        this_year_score: ['must be the same as score or left out'],
      })
      const at = '2026-03-01T00:00:00.000Z'
      const made = await join({ this_year_score: 4, this_year_score_updated_at: at })
      assert.deepEqual(made.json, {
        id: made.json.id,
        coalition_id,
        user_id,
        score: 4,
        rank: 1,
        created_at: NOW,
        updated_at: NOW,
      })
      refused(await join({}), { user_id: ['has already been taken'] })
      const found = (query: string) => ids(`/v2/coalitions/${coalition_id}/coalitions_users?${query}`, world.visitor)
      for (const query of [
        'filter[this_year_score]=4',
        'range[this_year_score]=1,9',
        'filter[this_year_score_updated]=true',
        'range[this_year_score_updated_at]=2026-03-01,2026-03-01',
        'sort=-this_year_score,this_year_score_updated_at',
      ]) {
        assert.deepEqual(await found(query), [made.json.id], query)
      }
      assert.deepEqual(await found('filter[this_year_score_updated]=false'), [])
    })
  })

  describe('scores', () => {
    const pointsOf = async (coalition: number) => (await director.get(`/v2/coalitions/${coalition}`)).json.score
    const memberOf = async (id: number) => (await director.get(`/v2/coalitions_users/${id}`)).json
    const give = (coalition: number, score: object, headers = {}) =>
      director.post(`/v2/coalitions/${coalition}/scores`, { score }, headers)

    it('add to what the coalition and its member have, and are taken back whole', async () => {
      const coalition_id = await newCoalition(await newBloc(), { score: 100 })
      const coalitions_user_id = await member(coalition_id, 10)
      world.clock.advance(1)
      const now = world.clock.now().toISOString()
      const made = await give(coalition_id, {
        reason: 'Long nights',
        value: '7',
        coalitions_user_id,
        scoreable_type: 'Location',
        scoreable_id: 3,
        calculation_id: null,
        // A score is of now, whatever is sent.
        created_at: '2020-01-01T00:00:00Z',
      })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.json, {
        id: made.json.id,
        coalition_id,
        scoreable_id: 3,
        scoreable_type: 'Location',
        coalitions_user_id,
        calculation_id: null,
        value: 7,
        reason: 'Long nights',
        created_at: now,
        updated_at: now,
      })
      assert.equal(await pointsOf(coalition_id), 107)
      const { score, updated_at } = await memberOf(coalitions_user_id)
      assert.deepEqual([score, updated_at], [17, now])
      const whole = await give(coalition_id, { reason: 'Noise', value: -50, coalitions_user_id: null })
      assert.equal(whole.status, 201, whole.text)
      assert.deepEqual([await pointsOf(coalition_id), (await memberOf(coalitions_user_id)).score], [57, 17])

      const path = `/v2/coalitions/${coalition_id}/scores`
      // The points are taken from the user who scored them, in their present coalition.
      const elsewhere = await newCoalition(await newBloc())
      await tutor.patch(`/v2/coalitions_users/${coalitions_user_id}`, { coalitions_user: { coalition_id: elsewhere } })
      assert.equal((await director.delete(`/v2/coalitions/${elsewhere}/scores/${made.json.id}`)).status, 404)
      const both = await Promise.all([1, 2, 3].map(() => director.delete(`${path}/${made.json.id}`)))
      assert.deepEqual(both.map(({ status }) => status).sort(), [204, 404, 404])
      assert.deepEqual([await pointsOf(coalition_id), (await memberOf(coalitions_user_id)).score], [50, 10])
      assert.deepEqual([await pointsOf(elsewhere)], [0])
      assert.equal((await director.request('DELETE', `${path}/${whole.json.id}`, { body: {} })).status, 204)
      assert.equal(await pointsOf(coalition_id), 100)
      world.clock.set(NOW)
    })

    it('that cannot be given leave nothing behind', async () => {
      const coalition_id = await newCoalition(await newBloc())
      const stranger = await member(await newCoalition(await newBloc()), 5)
      const [big] = [await newCoalition(await newBloc(), { score: 2_147_483_647 })]
      for (const [where, score, errors] of [
        [coalition_id, {}, { value: ["can't be blank"], reason: ["can't be blank"] }],
        [
          coalition_id,
          { value: 1, reason: 'A', coalitions_user_id: stranger },
          { coalitions_user_id: ['must belong to the coalition'] },
        ],
        [
          coalition_id,
          { value: 1, reason: 'A', coalitions_user_id: 999_999 },
          { coalitions_user_id: ['must belong to the coalition'] },
        ],
        [coalition_id, { value: 1.5, reason: 'A' }, { value: ['is not a whole number'] }],
        [big, { value: 1, reason: 'A' }, { base: ['a value is out of range'] }],
        [
          coalition_id,
          { value: 1, reason: 'A', coalition_id: big },
          { coalition_id: [`must be ${coalition_id} or left out, since the path says so`] },
        ],
      ] as const) {
        refused(await give(where, score), errors)
      }
      assert.equal((await give(999_999, { value: 1, reason: 'A' })).status, 404)
      assert.deepEqual([await pointsOf(coalition_id), (await memberOf(stranger)).score], [0, 5])
      assert.deepEqual(await ids(`/v2/coalitions/${coalition_id}/scores`), [])
    })

    it('are listed below their coalition, their member and their bloc', async () => {
      const bloc = await newBloc()
      const [coalition, other] = [await newCoalition(bloc), await newCoalition(await newBloc())]
      const user = await member(coalition)
      const of = async (where: number, score: object) =>
        (await give(where, { value: 1, reason: 'A', ...score })).json.id
      const first = await of(coalition, { coalitions_user_id: user })
      const second = await of(coalition, { value: 2, reason: 'B' })
      const third = await of(other, {})
      for (const [path, found] of [
        [`/v2/coalitions/${coalition}/scores`, [second, first]],
        [`/v2/coalitions_users/${user}/scores`, [first]],
        [`/v2/blocs/${bloc}/scores`, [second, first]],
        [`/v2/blocs/${bloc}/scores?sort=value`, [first, second]],
        [`/v2/blocs/${bloc}/scores?filter[reason]=B`, [second]],
      ] as const) {
        assert.deepEqual(await ids(path, tutor), found, path)
      }
      for (const path of [
        `/v2/scores/${first}`,
        `/v2/coalitions/${coalition}/scores/${first}`,
        `/v2/coalitions_users/${user}/scores/${first}`,
        `/v2/blocs/${bloc}/scores/${first}`,
      ]) {
        assert.equal((await tutor.get(path)).json.id, first, path)
      }
      assert.equal((await tutor.get(`/v2/blocs/${bloc}/scores/${third}`)).status, 404)
      assert.equal((await director.patch(`/v2/scores/${first}`, { score: { value: 9 } })).status, 405)
      assert.equal((await director.post('/v2/scores', { score: { value: 9 } })).status, 405)
      refused(await director.delete(`/v2/coalitions/${coalition}`), {
        base: ['is still used by 1 coalitions_users and 2 scores'],
      })
      assert.equal((await director.delete(`/v2/coalitions_users/${user}`)).status, 204)
      assert.equal((await tutor.get(`/v2/scores/${first}`)).json.coalitions_user_id, null)
    })

    it('given, taken back and moved at once leave totals that are the sums', async () => {
      const bloc = await newBloc()
      const places = [await newCoalition(bloc), await newCoalition(bloc)] as const
      const members = await Promise.all([0, 1, 2, 3].map((nth) => member(places[nth % 2] as number)))
      const chance = new Random(3, 'at once')
      const given: { coalition: number; id: number }[] = []
      let made = 0
      const rounds = Array.from({ length: 8 }, async () => {
        for (let step = 0; step < 12; step += 1) {
          const coalition = chance.pick(places)
          const last = chance.chance(0.3) ? given.pop() : undefined
          if (last) {
            const { status, text } = await director.delete(`/v2/coalitions/${last.coalition}/scores/${last.id}`)
            assert.equal(status, 204, text)
          } else if (chance.chance(0.15)) {
            const move = { coalitions_user: { coalition_id: coalition } }
            const { status, text } = await tutor.patch(`/v2/coalitions_users/${chance.pick(members)}`, move)
            assert.equal(status, 204, text)
          } else {
            const coalitions_user_id = chance.chance(0.8) ? chance.pick(members) : null
            const score = { value: chance.integer(-20, 50), reason: 'At once', coalitions_user_id }
            const { status, json, text } = await give(coalition, score)
            // They may have been moved meanwhile.
            assert.ok(status === 201 || status === 422, text)
            if (status === 422) continue
            given.push({ coalition, id: json.id })
            made += 1
          }
        }
      })
      await Promise.all(rounds)
      assert.ok(made > 20, String(made))
      // All lock in the same order, so that no transaction is retried.
      const [stuck] = await world.database.rows(
        'select deadlocks from pg_stat_database where datname = current_database()',
      )
      assert.equal(Number(stuck?.[0]), 0)
      const wrong = await world.database.rows(
        `select 'coalition', id from coalitions c where bloc_id = $1
           and score <> (select coalesce(sum(value), 0) from scores where coalition_id = c.id)
         union all
         select 'member', id from coalitions_users m where id = any ($2::int[])
           and score <> (select coalesce(sum(value), 0) from scores where coalitions_user_id = m.id)
         union all
         select 'rank', id from coalitions_users m where id = any ($2::int[]) and place_in_coalition(coalition_id, score)
           <> 1 + (select count(*) from coalitions_users b where b.coalition_id = m.coalition_id and b.score > m.score)`,
        [bloc, `{${members.join(',')}}`],
      )
      assert.deepEqual(wrong, [])
    })
  })
})
