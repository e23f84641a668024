import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { campus, type World } from '@campus/test/support/campus'
import { createRecordFactory, type RecordFactory, unwrapped } from '@campus/test/support/record-factory'
import { changeableOf } from '@campus/test/support/updatable-resources'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

type Values = Record<string, unknown>

/** Lists of texts are stored as the text of one. */
const listOr = (value: unknown) => (typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value)

describe('a write that changes nothing is 204, leaves updated_at and tells nobody:', () => {
  let world: World
  let factory: RecordFactory

  before(async () => {
    world = await campus({ seeded: true })
    factory = await createRecordFactory(world, registry)
    // Changes are recorded until all processes have read them; here they are stored for good.
    await world.database.rows('create table heard (of text)')
    await world.database.rows(`create or replace function record_change() returns trigger language plpgsql as $$
      begin
        insert into heard values (tg_table_name);
        insert into table_changes (relation) values (coalesce(tg_argv[0], tg_table_name)) on conflict do nothing;
        return null;
      end $$`)
  })
  after(() => world.close())

  /** Returns the fields of a record that a payload may send back. State changes are left out. */
  async function stored({ table, payload, stored: column }: Resource, id: number): Promise<Values> {
    const [row] = await world.database.rows(`select to_jsonb(t) from "${table}" t where id = $1`, [id])
    const values = JSON.parse(row?.[0] as string)
    const { accepts = [], triggersOn: moves = [], links = {} } = payload ?? {}
    const sent: Values = {}
    for (const name of accepts) {
      const { column: stands, storing } = column(name) ?? {}
      // Fields that are stored in another form cannot be read back. Their own tests send them.
      if (stands && !storing && !moves.includes(name)) sent[name] = listOr(values[stands])
    }
    for (const [name, link] of Object.entries(links)) {
      const rows = await world.database.rows(
        `select ${link.otherKey} from ${link.table} where ${link.foreignKey} = $1`,
        [id],
      )
      sent[name] = rows.map(([otherKey]) => Number(otherKey)).reverse()
    }
    return sent
  }

  /** Everything that a write leaves: the row itself, and its notifications. */
  async function traces({ table }: Resource, id: number): Promise<unknown> {
    const rows = await world.database.rows(`select xmin, ctid, t::text from "${table}" t where id = $1`, [id])
    const counts = await world.database.rows('select count(*), max(id) from deliveries')
    // Deliveries are looked for in the background, and the change feed is looked after.
    const heard = await world.database.rows(
      "select of, count(*) from heard where of not in ('deliveries', 'feed_relay') group by of order by of",
    )
    return { rows, counts, heard }
  }

  async function assertUntouched(resource: Resource, id: number, values: Values): Promise<void> {
    world.clock.advance(1)
    for (const method of ['PATCH', 'PUT'] as const) {
      const before = await traces(resource, id)
      const body = { [resource.singular]: values }
      const { status, text } = await factory.administrator.request(method, `/v2/${resource.name}/${id}`, { body })
      assert.equal(status, 204, `${JSON.stringify(values)}: ${text}`)
      assert.deepEqual(await traces(resource, id), before)
    }
  }

  /** The ids of some records of the demonstration school. */
  async function demonstrated({ name }: Resource): Promise<readonly number[]> {
    const { json } = await factory.administrator.get(`/v2/${name}?per_page=3`)
    return json.map((record: unknown) => unwrapped(registry, name, record).id)
  }

  for (const resource of changeableOf(registry)) {
    it(resource.name, async () => {
      const id = await factory.make(resource.name)
      await assertUntouched(resource, id, {})
      await assertUntouched(resource, id, await stored(resource, id))
    })

    it(`${resource.name} as it was read, with the fields that only the service writes`, async () => {
      const ids = [await factory.make(resource.name), ...(await demonstrated(resource))]
      for (const id of ids) {
        const read = await factory.get(`/v2/${resource.name}/${id}`)
        await assertUntouched(resource, id, unwrapped(registry, resource.name, read))
      }
    })
  }

  it('returns 422 for an id that contradicts the path, and for a field that no record has', async () => {
    const id = await factory.make('cursus')
    for (const [values, errors] of [
      [{ id: id + 1 }, { id: [`must be ${id} or left out, since the path says so`] }],
      [{ id: 'first' }, { id: ['is not a whole number'] }],
      [{ users_count: 3, users_counted: 3 }, { users_counted: ['is not accepted'] }],
    ] as const) {
      const { status, json } = await factory.administrator.put(`/v2/cursus/${id}`, {
        cursus: { name: 'Other', ...values },
      })
      assert.deepEqual([status, json.errors], [422, errors])
    }
    await assertUntouched(registry.get('cursus'), id, { id: String(id) })
    await assertUntouched(registry.get('cursus'), id, { id: null })
  })

  it('a PUT of the record as it was read succeeds while its ETag is current', async () => {
    const path = `/v2/cursus/${await factory.make('cursus')}`
    const { json: cursus, headers } = await factory.administrator.get(path)
    const put = async (values: object) => {
      const sent = { cursus: { ...cursus, ...values } }
      return (await factory.administrator.put(path, sent, { 'if-match': String(headers.get('etag')) })).status
    }
    assert.deepEqual([await put({}), await put({ name: 'Renamed' }), await put({ name: 'Again' })], [204, 204, 412])
    assert.equal((await factory.get(path)).name, 'Renamed')
  })

  it('an element that is as it was, and one that is not touches the record', async () => {
    const user = registry.get('users')
    const [cursus_id] = (await factory.list('/v2/cursus')).map(({ id }) => id)
    const id = await factory.make('users')
    await factory.administrator.patch(`/v2/users/${id}`, { user: { cursus_users_attributes: [{ cursus_id }] } })
    const [part] = (await factory.get(`/v2/users/${id}`)).cursus_users
    const element = { id: String(part.id), user_id: id, begin_at: part.begin_at, grade: part.grade }
    await assertUntouched(user, id, { cursus_users_attributes: [element, { _destroy: 'true' }] })
    const changed = { cursus_users_attributes: [{ ...element, grade: 'Member' }] }
    assert.equal((await factory.administrator.patch(`/v2/users/${id}`, { user: changed })).status, 204)
    assert.equal((await factory.get(`/v2/users/${id}`)).updated_at, world.clock.now().toISOString())
  })

  it('a campus and a cursus that a user has, and what is accepted and not kept', async () => {
    const [campus, cursus] = [await world.build.campus(), await world.build.cursus()]
    const id = await factory.make('users', { campus_id: campus, cursus_id: cursus })
    await assertUntouched(registry.get('users'), id, { campus_id: campus, cursus_id: cursus, skip_welcome_mail: true })
  })

  it('the secret that an endpoint has', async () => {
    const id = await factory.make('endpoints', { secret: 'quite a secret', active: true })
    const { url } = await factory.get(`/v2/endpoints/${id}`)
    await assertUntouched(registry.get('endpoints'), id, { secret: 'quite a secret', active: 'true' })
    await assertUntouched(registry.get('endpoints'), id, { url })
    await factory.administrator.patch(`/v2/endpoints/${id}`, { endpoint: { secret: 'another' } })
    assert.equal((await factory.administrator.get(`/v2/endpoints?filter[secret]=another`)).json.length, 1)
  })

  it('a waitlist that an event has, a name that an attachment has, scopes that an application has', async () => {
    const event = await factory.make('events', { activate_waitlist: true })
    await assertUntouched(registry.get('events'), event, { activate_waitlist: true })
    const app = await factory.make('apps', { scopes: ['public'], rate_per_hour: 70 })
    await assertUntouched(registry.get('apps'), app, { scopes: ['public'], rate_per_hour: 70, role_ids: [] })
    const attachment = await factory.make('attachments')
    const { name } = await factory.get(`/v2/attachments/${attachment}`)
    await assertUntouched(registry.get('attachments'), attachment, {
      attachable_attributes: [{ name, attachable_type: 'link' }],
    })
  })

  it('nor does a guess at a hidden value show whether it was right', async () => {
    const author = await world.build.user()
    const client = await world.caller({ user: author, scopes: ['public', 'projects'] })
    const id = await factory.make('projects_users', { user_id: author })
    for (const user_id of [author, author + 1]) {
      const refused = await client.patch(`/v2/projects_users/${id}`, { projects_user: { user_id } })
      assert.equal(refused.status, 403)
    }
  })
})
