import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { MAX_CHOSEN_ID, takesChosenIds } from '@campus/engine/rest/write/chosen-ids'
import { campus, type World } from '@campus/test/support/campus'
import { FACTORY_DEFINITIONS } from '@campus/test/support/factory-definitions'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const JSON_API = { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' }
const TAKEN = { id: ['has already been taken'] }

let world: World
let factory: RecordFactory
before(async () => {
  world = await campus({ seeded: true })
  factory = await createRecordFactory(world, registry)
})
after(() => world.close())

const isMadeAlone = ({ name, actions }: Resource) =>
  actions !== embeddedOnly &&
  !actions.create?.onlyBelow &&
  FACTORY_DEFINITIONS[name] !== undefined &&
  !FACTORY_DEFINITIONS[name].make

async function payloadOf(name: string): Promise<object> {
  const definition = FACTORY_DEFINITIONS[name]
  return { ...(await definition?.payload?.(factory)), ...(await definition?.alone?.(factory)) }
}

const cursus = (values: object) => ({ cursus: { name: factory.word(), kind: 'main', ...values } })
const nextId = async (table: string) =>
  Number(
    (await world.database.rows(`select pg_sequence_last_value(pg_get_serial_sequence($1, 'id'))`, [table]))[0]?.[0],
  ) + 1

describe('staff choose the id of a new record, and later records get larger ids:', () => {
  const resources = registry.resources.filter(takesChosenIds)
  assert.ok(resources.length > 60)
  for (const [place, resource] of resources.filter(isMadeAlone).entries()) {
    it(resource.name, async () => {
      const { name, singular, table } = resource
      const id = (await nextId(table)) + 20_000 + place
      assert.equal(await factory.make(name, { id }), id)
      const again = await factory.administrator.post(`/v2/${name}`, { [singular]: { ...(await payloadOf(name)), id } })
      assert.equal(again.status, 422, again.text)
      assert.deepEqual(again.json.errors, TAKEN)
      assert.ok((await factory.make(name)) > id)
      const [row] = await world.database.rows(`select count(*) from "${table}" where id = $1`, [id])
      assert.deepEqual(row, ['1'])
    })
  }

  it('scores, below a coalition', async () => {
    const coalition = await factory.find('coalitions')
    const id = (await nextId('scores')) + 5
    const path = `/v2/coalitions/${coalition}/scores`
    const made = await factory.administrator.post(path, { score: { id, value: 5, reason: 'Chosen' } })
    assert.deepEqual([made.status, made.json.id], [201, id], made.text)
    assert.equal((await factory.administrator.post(path, { score: { value: 5, reason: 'Drawn' } })).json.id, id + 1)
  })
})

describe('a chosen id', () => {
  it('is accepted if it is free, even if a deleted record had it', async () => {
    const { id } = (await world.director.post('/v2/cursus', cursus({}))).json
    assert.equal((await world.director.delete(`/v2/cursus/${id}`)).status, 204)
    const made = await world.director.post('/v2/cursus', cursus({ id }))
    assert.deepEqual(
      [made.status, made.json.id, made.headers.get('location')?.endsWith(`/v2/cursus/${id}`)],
      [201, id, true],
    )
  })

  it('loses the import key of the deleted record that had it', async () => {
    const { id } = (await world.director.post('/v2/cursus', cursus({}))).json
    const run = '00000000-0000-4000-8000-000000000000'
    await world.database.rows(
      "insert into import_keys values ('cursus', 'left', $1, $2, 1), ('users', 'same', $1, $2, 1)",
      [id, run],
    )
    await world.director.delete(`/v2/cursus/${id}`)
    await world.director.post('/v2/cursus', cursus({ id }))
    assert.deepEqual(await world.database.rows('select key from import_keys where record_id = $1', [id]), [['same']])
  })

  it('is refused unless it is an integer from 1 to MAX_CHOSEN_ID', async () => {
    const before = await nextId('cursus')
    for (const id of [0, -3, 1.5, 'four', [4], {}, true, MAX_CHOSEN_ID + 1, 2 ** 31, 2 ** 53, '9'.repeat(40)]) {
      const { status, json, text } = await world.director.post('/v2/cursus', cursus({ id }))
      assert.equal(status, 422, text)
      assert.deepEqual(Object.keys(json.errors), ['id'], text)
    }
    assert.equal(await nextId('cursus'), before)
  })

  it('gives way to the next id of the sequence if it is blank', async () => {
    for (const id of [null, '', ' ']) {
      const next = await nextId('cursus')
      assert.equal((await world.director.post('/v2/cursus', cursus({ id }))).json.id, next)
    }
  })

  it('is ignored if the application is not Advanced Staff', async () => {
    const user = await world.build.user()
    const student = await world.caller({ user, scopes: ['public', 'profile'] })
    const expertise = await factory.find('expertises')
    for (const [client, table, path, body] of [
      [
        world.staff,
        'locations',
        '/v2/locations',
        { location: { user_id: user, campus_id: 1, host: 'seat-of-choice' } },
      ],
      [student, 'expertises_users', '/v2/expertises_users', { expertises_user: { expertise_id: expertise, value: 2 } }],
    ] as const) {
      const next = await nextId(table)
      const [name, values] = Object.entries(body)[0] ?? []
      const { status, json, text } = await client.post(path, { [String(name)]: { ...values, id: next + 50 } })
      assert.equal(status, 201, text)
      assert.equal(json.id, next)
    }
  })

  it('is accepted in each element of a list of new records', async () => {
    const next = (await nextId('scale_teams')) + 3
    const element = async () => payloadOf('scale_teams')
    const { status, json, text } = await factory.administrator.post('/v2/scale_teams/multiple_create', {
      scale_teams: [{ ...(await element()), id: next }, await element()],
    })
    assert.equal(status, 201, text)
    assert.deepEqual(
      json.map(({ id }: { readonly id: number }) => id),
      [next, next + 1],
    )
  })

  it('must equal the id in the path in an update', async () => {
    const { id } = (await world.director.post('/v2/cursus', cursus({}))).json
    const path = `/v2/cursus/${id}`
    for (const same of [id, String(id), null]) {
      assert.equal((await world.director.patch(path, { cursus: { id: same, name: factory.word() } })).status, 204)
    }
    for (const other of [id + 1, 'x', 0]) {
      const { status, json } = await world.director.patch(path, { cursus: { id: other, name: 'Moved' } })
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['id']])
    }
    assert.notEqual((await world.director.get(path)).json.name, 'Moved')
  })

  it('is accepted in a JSON:API document, with 409 if it is taken and 403 if the caller may not choose it', async () => {
    const id = (await nextId('cursus')) + 4
    const post = (client: typeof world.staff) =>
      client.post(
        '/v2/cursus',
        JSON.stringify({
          data: { type: 'cursus', id: String(id), attributes: { name: factory.word(), kind: 'main' } },
        }),
        JSON_API,
      )
    const made = await post(world.director)
    assert.deepEqual([made.status, made.json.data?.id], [201, String(id)], made.text)
    const taken = await post(world.director)
    assert.deepEqual([taken.status, taken.json.errors[0].source], [409, { pointer: '/data/id' }], taken.text)
    const tutor = await world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'] })
    assert.equal((await post(tutor)).status, 403)
  })

  it('does not prevent that a request is repeated with its Idempotency-Key', async () => {
    const id = (await nextId('cursus')) + 2
    const body = cursus({ id })
    const headers = { 'idempotency-key': 'chosen' }
    const [first, second] = [
      await world.director.post('/v2/cursus', body, headers),
      await world.director.post('/v2/cursus', body, headers),
    ]
    assert.deepEqual([first.status, second.status, second.json.id], [201, 201, id])
  })

  it('does not move the sequence if the request is refused', async () => {
    const before = await nextId('coalitions_users')
    const refused = await world.director.post('/v2/coalitions_users', {
      coalitions_user: { id: MAX_CHOSEN_ID, coalition_id: 999_999, user_id: 999_999 },
    })
    assert.equal(refused.status, 422)
    assert.ok((await nextId('coalitions_users')) < before + 10)
  })
})

describe('records that are created concurrently', () => {
  it('have different ids, and only a chosen id is ever refused as taken', async () => {
    const next = await nextId('tags')
    const calls = Array.from({ length: 60 }, (_, at) => ({
      name: `at-once-${at}`,
      ...(at % 2 === 0 && { id: next + ((at * 7) % 40) }),
    }))
    const answers = await Promise.all(calls.map((tag) => world.director.post('/v2/tags', { tag })))
    const made = new Set<number>()
    for (const [at, { status, json, text }] of answers.entries()) {
      const chosen = calls[at]?.id
      if (status === 201) {
        assert.ok(!made.has(json.id))
        made.add(json.id)
        if (chosen !== undefined) assert.equal(json.id, chosen)
      } else {
        assert.equal(status, 422, text)
        assert.notEqual(chosen, undefined, text)
        assert.deepEqual(json.errors, TAKEN)
      }
    }
    assert.ok(made.size >= 30)
    const after = await world.director.post('/v2/tags', { tag: { name: 'afterwards' } })
    assert.equal(after.status, 201)
    assert.ok(after.json.id > Math.max(...made))
  })

  it('skip ids that were inserted without the sequence', async () => {
    const next = await nextId('tags')
    await world.database.rows(
      `insert into tags (id, name, kind, created_at, updated_at)
       select n, 'by hand ' || n, 'user', now(), now() from generate_series($1::int, $1::int + 2) n`,
      [next],
    )
    const { status, json, text } = await world.director.post('/v2/tags', { tag: { name: 'after three' } })
    assert.deepEqual([status, json.id], [201, next + 3], text)
  })
})
