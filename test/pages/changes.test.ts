import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { campus, type World } from '../support/campus.ts'
import { signedInOf } from '../support/people.ts'
import { type Visitor, visitorOf } from '../support/visitor.ts'
import { type WatchedStream, watch } from '../support/watch.ts'

describe('the changes that a page watches', () => {
  let world: World
  let here: number
  let ada: Visitor
  const open: WatchedStream[] = []

  before(async () => {
    world = await campus()
    here = await world.build.campus()
    ada = (await signedInOf(world, { login: 'ada' })).browser
  })
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  after(() => world.close())

  async function watching(visitor: Visitor, of: string) {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const stream = await watch(world, world.anonymous, `/changes?of=${encodeURIComponent(of)}`, { cookie })
    open.push(stream)
    return stream
  }

  it('are those of the API, for the person who is signed in', async () => {
    const stream = await watching(ada, `/v2/campus/${here}/locations?filter[active]=true`)
    assert.equal((await stream.next())?.event, 'page')
    const user_id = await world.build.user()
    const id = await world.build.location({ user_id, campus_id: here, host: 'c1' })
    const event = await stream.next()
    assert.deepEqual([event?.event, event?.data.id], ['create', id])
  })

  it('are not for others: visitors sign in, lists that need a role are refused, and so is what is no list', async () => {
    assert.equal((await watching(visitorOf(world), '/v2/locations')).status, 303)
    assert.equal((await watching(ada, '/v2/endpoints')).status, 403)
    for (const none of ['/v2/nonsense', '/v2/locations/graph/on/begin_at', '', '//other.example/v2/locations'])
      assert.equal((await watching(ada, none)).status, 404, none)
  })

  it('end when the account is closed', async () => {
    const stream = await watching(ada, '/v2/users/ada/locations')
    assert.equal((await stream.next())?.event, 'page')
    await world.database.rows(`update users set closed_at = '2026-03-02T10:00:00Z' where login = 'ada'`)
    await world.build.location({ user_id: await world.build.user(), campus_id: here, host: 'c2' })
    assert.equal(await stream.next(), undefined)
  })
})
