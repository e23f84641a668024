import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type WatchedStream, watch } from '@campus/test/support/event-stream'
import { signedInOf } from '@campus/test/support/people'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'

/** An application may open 30 streams a minute. */
const MORE_THAN_OF_AN_APPLICATION = 31

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

  it('are as many for each person, however many others look', async () => {
    for (let n = 0; n < MORE_THAN_OF_AN_APPLICATION; n += 1) {
      const { browser } = await signedInOf(world)
      assert.equal((await watching(browser, `/v2/campus/${here}/locations`)).status, 200)
    }
  })

  it('end when the account is closed', async () => {
    const stream = await watching(ada, '/v2/users/ada/locations')
    assert.equal((await stream.next())?.event, 'page')
    await world.database.rows(`update users set closed_at = '2026-03-02T10:00:00Z' where login = 'ada'`)
    await world.build.location({ user_id: await world.build.user(), campus_id: here, host: 'c2' })
    assert.equal(await stream.next(), undefined)
  })
})

describe('a page that is live', () => {
  let world: World
  let endpoint: number
  const open: WatchedStream[] = []
  before(async () => {
    world = await campus()
    endpoint = await world.build.record('endpoints', { url: 'https://127.0.0.1:9/hooks', active: false })
  })
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  after(() => world.close())

  async function watching({ cookies }: Visitor, path: string) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const stream = await watch(world, world.anonymous, path, { cookie })
    open.push(stream)
    return stream
  }
  const call = (state: string) =>
    world.build.record('deliveries', {
      endpoint_id: endpoint,
      user_id: 7,
      login: 'ada',
      event: 'updated',
      record: '{}',
      state,
    })

  it('says that it is to be looked at again, to those who may see it', async () => {
    const boss = (await signedInOf(world, { kind: 'admin' })).browser
    const stream = await watching(boss, `/staff/endpoints/${endpoint}`)
    assert.deepEqual([stream.status, stream.headers['content-type']], [200, 'text/event-stream; charset=utf-8'])
    await call('dead')
    assert.deepEqual((await stream.next())?.data, {})
    assert.doesNotMatch(stream.text(), /ada/)
    assert.equal((await watching(visitorOf(world), `/staff/endpoints/${endpoint}`)).status, 303)
    assert.equal((await watching(boss, '/staff/endpoints/4711')).status, 404)
    const student = (await signedInOf(world)).browser
    assert.equal((await watching(student, `/staff/endpoints/${endpoint}`)).status, 403)
    const { id } = await world.database.transaction((tx) => createApplication(tx, { name: 'Of nobody' }))
    assert.equal((await watching(student, `/applications/${id}`)).status, 404)
  })

  it('ends with the session', async () => {
    const { id, browser } = await signedInOf(world, { kind: 'admin' })
    const stream = await watching(browser, '/staff/endpoints')
    await world.database.rows(`update users set closed_at = '2026-03-02T10:00:00Z' where id = $1`, [id])
    assert.equal(await stream.next(), undefined)
  })
})
