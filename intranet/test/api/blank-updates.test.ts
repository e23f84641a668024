import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { campus, type World } from '@campus/test/support/campus'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

const hasUpdate = ({ actions }: Resource) => actions !== embeddedOnly && actions.update !== undefined

/** The fields that a new record needs and that an update takes as well. */
function needed({ payload }: Resource): string[] {
  const { accepts = [], requires = [], extra = {} } = payload ?? {}
  const extras = Object.keys(extra).filter((name) => extra[name]?.required ?? requires.includes(name))
  return [...accepts.filter((name) => requires.includes(name)), ...extras]
}

describe('what a new record needs, an update cannot take away:', () => {
  let world: World
  let factory: RecordFactory

  before(async () => {
    world = await campus({ seeded: true })
    factory = await createRecordFactory(world, registry)
  })
  after(() => world.close())

  for (const resource of registry.resources.filter(hasUpdate)) {
    const names = needed(resource)
    if (names.length === 0) continue
    it(`${resource.name}: ${names.join(', ')}`, async () => {
      const path = `/v2/${resource.name}/${await factory.make(resource.name)}`
      const shown = (await factory.administrator.get(path)).json
      for (const name of names) {
        // An empty text is a value of some fields.
        for (const blank of resource.stored(name)?.kind.blank === '' ? [null] : [null, '', ' ']) {
          const { status, json, text } = await factory.administrator.patch(path, {
            [resource.singular]: { [name]: blank },
          })
          assert.deepEqual([status, json?.errors], [422, { [name]: ["can't be blank"] }], text)
        }
      }
      assert.deepEqual((await factory.administrator.get(path)).json, shown)
    })
  }
})
