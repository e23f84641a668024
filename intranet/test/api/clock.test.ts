import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { FACTORY_DEFINITIONS } from '@campus/test/support/factory-definitions'
import { createRecordFactory } from '@campus/test/support/record-factory'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

let world: World

before(async () => {
  // Far from the clock of whatever machine this runs on.
  world = await openCampus({ now: '2131-05-05T10:00:00.000Z' })
})
after(() => world.close())

describe('a record that a client makes', () => {
  it('has no time of the database’s clock, only of the service’s', async () => {
    const columns = await world.database.rows(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and (column_default ilike '%now()%' or column_default ilike '%current_date%')`,
    )
    const factory = await createRecordFactory(world, registry)
    const strays = new Set<string>()
    for (const [resource, definition] of Object.entries(FACTORY_DEFINITIONS)) {
      if (definition.make) continue
      const { table } = registry.get(resource)
      const topic = { messageable_type: 'Topic', messageable_id: await factory.find('topics') }
      const id = await factory.make(resource, resource === 'messages' ? topic : {})
      for (const [, column] of columns.filter(([name]) => name === table)) {
        const statement = `select 1 from ${table} where id = $1 and abs(extract(epoch from ${column} - now())) < 172800`
        if ((await world.database.rows(statement, [id])).length > 0) strays.add(`${table}.${column}`)
      }
    }
    assert.deepEqual([...strays], [])
  })

  it('has none in what comes along with it', async () => {
    const director = world.director
    const language_id = await world.build.language()
    const [campus_id, cursus_id] = [await world.build.campus(), await world.build.cursus()]
    const user = {
      email: 'a@campus.test',
      first_name: 'A',
      last_name: 'B',
      kind: 'student',
      campus_id,
      cursus_id,
      languages_users_attributes: [{ language_id, position: 1 }],
    }
    const { json } = await director.post('/v2/users', { user })
    const { status } = await director.patch(`/v2/users/${json.id}`, {
      user: { campus_id: await world.build.campus(), cursus_id: await world.build.cursus() },
    })
    assert.equal(status, 204)
    const record = (await director.get(`/v2/users/${json.id}`)).json
    const parts = [record, ...record.campus_users, ...record.cursus_users, ...record.languages_users]
    assert.equal(parts.length, 6)
    const now = world.clock.now().toISOString()
    for (const { created_at, begin_at = now } of parts) assert.deepEqual([created_at, begin_at], [now, now])
  })
})
