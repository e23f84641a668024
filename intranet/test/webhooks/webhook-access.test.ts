import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { type AccessWorld, accessWorld } from '@campus/test/support/access-world'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { unwrapped } from '@campus/test/support/record-factory'
import { testEngine } from '@campus/test/support/test-engine'
import { callersOfApplications } from '../../oauth/calling-application.ts'
import { digestOf } from '../../oauth/digests.ts'
import { declaredRegistry } from '../../school/resources/declared.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'
import { type ReadRecord, recordReader } from '../../webhooks/applications/read-records.ts'

const registry = declaredRegistry()
const models = modelsOf(registry.resources)
const shows = new Map(
  routeTable(registry).flatMap((route): [string, Route][] =>
    route.action === 'show' && route.chain.length === 0 ? [[route.resource.name, route]] : [],
  ),
)
/** Applications stand for nobody: what people have for themselves is not sent. */
const APPLICATIONS = ['public', 'tutor', 'staff'] as const

describe('a webhook sends each application what GET shows it, of every model:', () => {
  let world: World
  let school: AccessWorld
  let read: (client: Client, model: string, recordId: number, event?: string) => Promise<ReadRecord>

  before(async () => {
    world = await campus({ seeded: true })
    school = await accessWorld(world, registry)
    const engine = await testEngine(world.database, world.clock, new Sealer(Buffer.alloc(32, 7)))
    const readRecord = recordReader({
      ...{ engine, models: () => models },
      findApplications: (ids) => callersOfApplications(world.database, ids),
    })
    read = async (client, model, recordId, event = 'update') =>
      readRecord({ applicationId: await applicationOf(client), model, event, recordId })
  })
  after(() => world.close())

  async function applicationOf({ token = '' }: Client): Promise<number> {
    const [row] = await world.database.rows('select application_id from access_tokens where digest = $1', [
      digestOf(token),
    ])
    return Number(row?.[0])
  }

  for (const [model, { resource }] of models) {
    it(model, async () => {
      const route = shows.get(resource.name)
      assert.ok(route, `${resource.name} has no route that shows a record`)
      const path = school.pathOf(route)
      const id = Number(path.split('/').at(-1))
      for (const name of APPLICATIONS) {
        const client = await school.caller(name)
        const shown = await client.get(path)
        const sent = await read(client, model, id)
        const who = `${path} as ${name}: GET is ${shown.status}, sent is ${JSON.stringify(sent).slice(0, 200)}`
        assert.equal('body' in sent, shown.status === 200, who)
        if (!('body' in sent) || resource.webhook) continue
        const record = unwrapped(registry, resource.name, JSON.parse(shown.text))
        // Addresses are those of another service, and signed ones are signed anew.
        assert.deepEqual(Object.keys(JSON.parse(sent.body)), Object.keys(record), who)
      }
    })
  }

  it('and nothing more once its rights are taken away', async () => {
    const client = await school.another('staff')
    const path = school.pathOf(shows.get('closes') ?? assert.fail())
    const id = Number(path.split('/').at(-1))
    assert.ok('body' in (await read(client, 'close', id)))
    await world.database.rows('delete from application_roles where application_id = $1', [await applicationOf(client)])
    assert.deepEqual(await read(client, 'close', id), { withheld: 'not_allowed' })
    assert.deepEqual(await read(client, 'close', id, 'destroy'), { withheld: 'not_allowed' })
  })
})
