import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const CALLERS = ['nobody', 'visitor', 'Basic Tutor', 'Advanced Tutor', 'Basic Staff', 'Advanced Staff'] as const
type CallerName = (typeof CALLERS)[number]

let world: World
const callers = {} as Record<CallerName, Client>

before(async () => {
  world = await openCampus()
  callers.nobody = world.anonymous
  callers.visitor = world.visitor
  for (const name of CALLERS.slice(2)) callers[name] = await world.caller({ roles: [name] })
})
after(() => world.close())

let made = 0

function newUser() {
  made += 1
  return { user: { email: `u${made}@campus.test`, first_name: 'U', last_name: 'Ser', kind: 'student' } }
}

describe('a refusal for a missing role', () => {
  it('says which role would do', async () => {
    for (const [method, path, role] of [
      ['GET', '/v2/endpoints', 'Basic Staff'],
      ['GET', '/v2/staff', 'Basic Staff, or the role 42network'],
      ['POST', '/v2/endpoints', 'Basic Staff'],
      ['POST', '/v2/locations', 'Basic Staff'],
      ['POST', '/v2/users', 'Advanced Tutor'],
      ['DELETE', '/v2/languages/1', 'Advanced Tutor, or the role Advanced Staff'],
    ] as const) {
      const { json } = await world.visitor.request(method, path)
      assert.deepEqual(json, {
        error: 'Access Denied',
        message: `You are not authorized to access this page. It needs the role ${role}.`,
      })
    }
  })

  it('is the same whether the record exists or not', async () => {
    const id = await world.build.language()
    const refused = async (path: string) => (await world.visitor.delete(path)).text
    assert.equal(await refused(`/v2/languages/${id}`), await refused('/v2/languages/2147483647'))
  })
})

describe('the rules around roles', () => {
  const statusOf = async (client: Client, method: string, path: string, body?: object) =>
    (await client.request(method, path, { body })).status

  it('Advanced Staff includes Basic Staff, and not Advanced Tutor', async () => {
    assert.equal(await statusOf(callers['Advanced Staff'], 'GET', '/v2/staff'), 200)
    assert.equal(await statusOf(callers['Advanced Staff'], 'POST', '/v2/users', newUser()), 403)
  })

  it('other roles open nothing here', async () => {
    for (const role of ['Official App', 'Certified App', 'Moderator', 'Alpha', 'Beta', 'Intrateam']) {
      const caller = await world.caller({ roles: [role] })
      assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403, role)
      assert.equal(await statusOf(caller, 'POST', '/v2/users', newUser()), 403, role)
      assert.equal(await statusOf(caller, 'GET', '/v2/users'), 200, role)
    }
  })

  it('no scope stands for a role', async () => {
    const scopes = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']
    const caller = await world.caller({ scopes })
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403)
    assert.equal(await statusOf(caller, 'POST', '/v2/users', newUser()), 403)
  })

  it('these resources ask for no scope, so that a role alone will do', async () => {
    const caller = await world.caller({ roles: ['Advanced Staff', 'Advanced Tutor'], scopes: ['public'] })
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 200)
    assert.equal(await statusOf(caller, 'POST', '/v2/users', newUser()), 201)
  })

  it('the person behind a token never lends the application a role', async () => {
    const admin = await world.build.user({ kind: 'admin' })
    const caller = await world.caller({ user: admin })
    assert.equal(await statusOf(caller, 'GET', '/v2/me'), 200)
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403)
    assert.equal(await statusOf(caller, 'GET', '/v2/staff'), 403)
    assert.equal(await statusOf(caller, 'PATCH', `/v2/users/${admin}`, { user: { wallet: 1 } }), 403)
  })

  it('a role that is taken away is gone from running tokens', async () => {
    const caller = await world.caller({ roles: ['Basic Staff'] })
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 200)
    const { json } = await caller.get('/oauth/token/info')
    await world.database.rows(
      'delete from application_roles where application_id = (select id from applications where uid = $1)',
      [json.application.uid],
    )
    assert.equal(await statusOf(caller, 'GET', '/v2/endpoints'), 403)
  })
})

describe('the exam of a user', () => {
  it('is shown to the user, through an application without roles', async () => {
    const [id, other] = [await world.build.user(), await world.build.user()]
    const own = await world.caller({ user: id })
    assert.equal((await own.get(`/v2/users/${id}/exam`)).status, 200)
    assert.equal((await own.get(`/v2/users/${other}/exam`)).status, 403)
  })
})

describe('a closed user', () => {
  let closed: number
  before(async () => {
    closed = await world.build.user({ login: 'closed', closed_at: '2026-02-01T00:00:00Z' })
  })

  for (const [caller, expected] of [
    ['nobody', 401],
    ['visitor', 403],
    ['Basic Tutor', 403],
    ['Advanced Tutor', 403],
    ['Basic Staff', 200],
    ['Advanced Staff', 200],
  ] as const) {
    it(`is shown to ${caller} with ${expected}, by id and by login`, async () => {
      for (const path of [`/v2/users/${closed}`, '/v2/users/closed']) {
        assert.equal((await callers[caller].get(path)).status, expected)
      }
    })
  }

  it('is still named by lists', async () => {
    const { json } = await world.visitor.get('/v2/users?filter[login]=closed')
    assert.deepEqual([json.length, json[0].id, json[0]['active?']], [1, closed, false])
  })
})
