import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Sending, sending } from './sending.ts'

describe('a change of a user', () => {
  let world: Sending
  before(async () => {
    world = await sending()
  })
  after(() => world.close())

  it('is told to the webservice of their campus', async () => {
    const id = await world.user('ada')
    await world.settle()
    const [call] = world.receiver.calls
    assert.equal(call?.path, '/users/new')
    console.log(call)
    console.log(await world.rows())
    assert.equal(call?.body.id, id)
  })
})
