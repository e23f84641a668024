import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { changeableOf } from '@campus/test/support/updatable-resources'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Objects and lists that a form makes. They have no prototype, so that reading them as a number or text throws. */
const SHAPES = ['[a]=', '[][a]=', '[][][a]=', '[][]=']

describe('a field may be sent in any shape, and the answer is not an error of the service:', () => {
  let world: World
  let factory: RecordFactory
  before(async () => {
    world = await campus({ seeded: true })
    factory = await createRecordFactory(world, registry)
  })
  after(() => world.close())

  for (const { name, singular, payload } of changeableOf(registry)) {
    it(name, async () => {
      const id = await factory.make(name)
      for (const field of payload?.accepts ?? []) {
        for (const shape of SHAPES) {
          const body = `${singular}[${field}]${shape}`
          const { status, text } = await factory.administrator.request('PATCH', `/v2/${name}/${id}`, {
            body,
            headers: FORM,
          })
          assert.ok(status < 500, `${body}: ${status} ${text}`)
        }
      }
    })
  }
})
