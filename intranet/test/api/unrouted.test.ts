/** Checks that a call that is refused before its route asks for a token is counted like any other. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const JSON_BODY = { 'content-type': 'application/json' }

type Refused = readonly [status: number, what: string, send: (client: Client, token?: string) => Promise<Response>]

const REFUSED: readonly Refused[] = [
  [404, 'an unknown path', (client) => client.get('/v2/nothing')],
  [404, 'an unknown path below a record', (client) => client.get('/v2/users/1/nothing/else')],
  [405, 'a method that a path does not have', (client) => client.delete('/v2/locations')],
  [405, 'a method that no path has', (client) => client.request('PROPFIND', '/v2/users', {})],
  [405, 'a method of an OAuth endpoint', (client) => client.get('/v2/oauth/revoke')],
  [400, 'a query that is not valid percent-encoding', (client) => client.get('/v2/users?filter[login]=%zz')],
  [400, 'a query that is a list and not one', (client) => client.get('/v2/users?a[]=1&a[b]=2')],
  [400, 'a path that is not valid percent-encoding', (client) => client.get('/v2/users/%zz')],
  [400, 'a path whose bytes are no text', (client) => client.get('/v2/%ff')],
  [400, 'a broken body', (client) => client.post('/v2/locations', '{"location":', JSON_BODY)],
  [404, 'a broken body to an unknown path', (client) => client.post('/v2/nothing', '{"a":', JSON_BODY)],
]

const describe = ({ headers }: Response) => ({
  application: headers.get('x-application-id'),
  name: headers.get('x-application-name'),
  roles: headers.get('x-application-roles'),
  limit: headers.get('x-hourly-ratelimit-limit'),
  left: headers.get('x-hourly-ratelimit-remaining'),
})

const NOBODY = { application: 'None', name: 'None', roles: 'None', limit: '1200', left: '1200' }

for (const [status, what, send] of REFUSED) {
  test(`${what} with a valid token is ${status}, says whose it is and counts`, async () => {
    const client = await world.caller({ roles: ['Advanced Staff'], scopes: ['public', 'projects'], ratePerHour: 500 })
    const usual = describe(await client.get('/v2/cursus'))
    const answer = await send(client)
    assert.equal(answer.status, status, answer.text)
    assert.deepEqual(describe(answer), { ...usual, left: '498' })
    assert.equal(answer.json.error, { 400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed' }[status])
    assert.deepEqual(describe(await client.get('/v2/cursus')), { ...usual, left: '497' })
  })

  test(`${what} over the rate is 429`, async () => {
    const client = await world.caller({ scopes: ['public', 'projects'], roles: ['Advanced Staff'], ratePerHour: 1 })
    await client.get('/v2/cursus')
    const answer = await send(client)
    assert.deepEqual([answer.status, describe(answer).left], [429, '0'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  })
}

test('without a valid token what is refused stays what it is, and says nothing of anybody', async () => {
  for (const [status, what, send] of REFUSED) {
    if (what === 'a broken body') continue // Its route asks for the token first.
    const answer = await send(world.anonymous)
    assert.deepEqual([answer.status, describe(answer)], [status, NOBODY], what)
  }
  for (const [path, status] of [
    ['/v2/nothing', 404],
    ['/v2/users/%zz', 400],
    ['/v2/users?x=%zz', 400],
  ] as const) {
    const answer = await world.anonymous.get(path, { authorization: 'Bearer token_dummy' })
    assert.deepEqual([answer.status, describe(answer)], [status, NOBODY], path)
  }
})

test('a token in the query is read though the rest of the query cannot be', async () => {
  const { token } = world.staff
  const { application } = describe(await world.staff.get('/v2/cursus'))
  for (const path of [`/v2/nothing?access_token=${token}`, `/v2/users?access_token=${token}&x=%zz`]) {
    assert.equal(describe(await world.anonymous.get(path)).application, application)
  }
})

test('outside the API nobody is asked who they are', async () => {
  for (const path of ['/nothing', '/nothing/%zz']) {
    const { status, headers } = await world.staff.get(path)
    assert.deepEqual([status, headers.get('x-application-id')], [path.endsWith('%zz') ? 400 : 404, 'None'])
    assert.equal(headers.get('x-hourly-ratelimit-limit'), null)
  }
})

test('what is refused is among the calls that an owner sees', async () => {
  const own = await campus()
  const client = await own.caller({ roles: ['Advanced Staff'], scopes: ['public', 'projects'] })
  const { application } = describe(await client.get('/v2/cursus'))
  for (const [, , send] of REFUSED) await send(client)
  await own.app.close()
  const rows = await own.database.rows('select made, refused from application_calls where application_id = $1', [
    Number(application),
  ])
  assert.deepEqual(rows, [[String(REFUSED.length + 1), '0']])
  await own.close()
})
