import assert from 'node:assert/strict'
import { createHmac, type Hmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Caller } from '@campus/engine/http/caller'
import { readIdempotencyKey } from '@campus/engine/rest/write/idempotency'
import { createApplication } from '@campus/test/support/application'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { type Client, clientOf, type Response } from '@campus/test/support/client'
import { everythingStored, rowCounts } from '@campus/test/support/database-contents'
import { issueToken } from '../../oauth/tokens.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

let world: World
before(async () => {
  world = await openCampus()
})
after(() => world.close())

/** With the key of every world. */
const SEALER = new Sealer(Buffer.alloc(32, 7))

let names = 0
const language = () => {
  names += 1
  return { language: { name: `Language ${names}`, identifier: `i${names}` } }
}
const post = (body: object, key: string, client = world.director, path = '/v2/languages') =>
  client.post(path, body, { 'idempotency-key': key })
const replayed = ({ headers }: Response) => headers.get('idempotent-replayed')
const countLanguages = async () => (await rowCounts(world.database)).languages

describe('a POST with an Idempotency-Key', () => {
  it('repeated answers the first response again and makes nothing', async () => {
    const body = language()
    const first = await post(body, 'again')
    const untouched = await rowCounts(world.database)
    for (let time = 0; time < 3; time += 1) {
      const next = await post(body, 'again')
      assert.deepEqual([next.status, next.text, replayed(next)], [201, first.text, 'true'])
      for (const name of ['location', 'content-type']) assert.equal(next.headers.get(name), first.headers.get(name))
    }
    assert.equal(replayed(first), null)
    assert.deepEqual(await rowCounts(world.database), untouched)
  })

  it('repeated answers what was created then, though it has changed since', async () => {
    const body = language()
    const first = await post(body, 'then')
    await world.director.patch(`/v2/languages/${first.json.id}`, { language: { name: 'Other' } })
    assert.equal((await post(body, 'then')).text, first.text)
    await world.director.delete(`/v2/languages/${first.json.id}`)
    assert.equal((await post(body, 'then')).text, first.text)
  })

  it('and another body is refused with 422, and makes nothing', async () => {
    await post(language(), 'other-body')
    const untouched = await rowCounts(world.database)
    const { status, json } = await post(language(), 'other-body')
    assert.equal(status, 422)
    assert.deepEqual(json.errors, { base: ['Idempotency-Key was used with another request'] })
    assert.deepEqual(await rowCounts(world.database), untouched)
  })

  it('and the same body elsewhere is refused with 422', async () => {
    const { language: values } = language()
    const body = { language: values, skill: { name: values.name } }
    assert.equal((await post(body, 'elsewhere')).status, 201)
    assert.equal((await post(body, 'elsewhere', world.director, '/v2/skills')).status, 422)
  })

  it('is that of one application: another may use the same key', async () => {
    const other = await world.caller({ roles: ['Advanced Staff'] })
    assert.equal((await post(language(), 'shared')).status, 201)
    const answer = await post(language(), 'shared', other)
    assert.deepEqual([answer.status, replayed(answer)], [201, null])
  })

  it('that was refused may be sent again with another body', async () => {
    assert.equal((await post({ language: {} }, 'refused')).status, 422)
    const answer = await post(language(), 'refused')
    assert.deepEqual([answer.status, replayed(answer)], [201, null])
  })

  it('is answered again whatever form the payload had', async () => {
    const { name, identifier } = language().language
    const query = `language[name]=${encodeURIComponent(name)}&language[identifier]=${identifier}`
    const send = () =>
      world.director.request('POST', `/v2/languages?${query}`, { headers: { 'idempotency-key': 'by-query' } })
    const first = await send()
    const second = await send()
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text])
  })

  it('is answered again to a renewed token in the query string', async () => {
    const { name, identifier } = language().language
    const query = `language[name]=${encodeURIComponent(name)}&language[identifier]=${identifier}`
    const client = await renewable()
    const send = async () =>
      world.anonymous.request('POST', `/v2/languages?${query}&access_token=${(await client()).token}`, {
        headers: { 'idempotency-key': 'renewed' },
      })
    const first = await send()
    const second = await send()
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text])
  })

  it('works below a parent too', async () => {
    const user = await world.build.user()
    const location = { campus_id: await world.build.campus(), host: 'once' }
    const send = () => post({ location }, 'nested', world.director, `/v2/users/${user}/locations`)
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status, second.json], [201, 201, first.json])
  })

  it('is answered again where what its path names has gone since', async () => {
    const user = await world.build.user()
    const group = async (name: string) => (await world.director.post('/v2/groups', { group: { name } })).json.id
    const [gone, other] = [await group('Gone'), await group('Other')]
    const send = (id: number) =>
      post({ groups_user: { user_id: user } }, 'gone', world.director, `/v2/groups/${id}/groups_users`)
    const first = await send(gone)
    await world.director.delete(`/v2/groups_users/${first.json.id}`)
    await world.director.delete(`/v2/groups/${gone}`)
    const path = `/v2/groups/${gone}/groups_users`
    const anew = await world.director.post(path, { groups_user: { user_id: user } })
    assert.deepEqual([first.status, anew.status], [201, 404])
    const again = await send(gone)
    assert.deepEqual([again.status, again.text, replayed(again)], [201, first.text, 'true'])
    assert.equal((await send(other)).status, 422)
  })

  it('needs the role on every repetition', async () => {
    const body = language()
    assert.equal((await post(body, 'roles')).status, 201)
    assert.equal((await post(body, 'roles', world.visitor)).status, 403)
  })

  it('has up to 255 characters', async () => {
    assert.equal((await post(language(), 'x'.repeat(255))).status, 201)
    assert.equal((await post(language(), 'x'.repeat(256))).status, 400)
  })
})

describe('an Idempotency-Key on another method', () => {
  it('means nothing', async () => {
    const id = await world.build.language()
    const path = `/v2/languages/${id}`
    for (const name of ['One', 'Two', 'One']) {
      const key = { 'idempotency-key': 'patch' }
      assert.equal((await world.director.patch(path, { language: { name } }, key)).status, 204)
      assert.equal((await world.visitor.get(path, key)).json.name, name)
    }
  })
})

/** A client whose token is new at each call, since a day outlives any token. */
async function renewable(): Promise<() => Promise<Client>> {
  const { uid, secret } = await world.database.transaction((tx) =>
    createApplication(tx, { name: 'Renewable', roles: ['Advanced Staff'], rate_per_second: 1_000_000 }),
  )
  return async () => {
    const credentials = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
    const { json } = await world.anonymous.post('/oauth/token', credentials)
    return clientOf(world, json.access_token)
  }
}

describe('a day after a POST with an Idempotency-Key', () => {
  it('the key is free again, and not a second before', async () => {
    const client = await renewable()
    const body = language()
    const first = await post(body, 'a-day', await client())
    world.clock.advance(86_400 - 1)
    const before = await post(body, 'a-day', await client())
    assert.deepEqual([before.status, before.text, replayed(before)], [201, first.text, 'true'])
    world.clock.advance(1)
    const after = await post(language(), 'a-day', await client())
    assert.deepEqual([after.status, replayed(after)], [201, null])
    assert.notEqual(after.json.id, first.json.id)
    const again = await post(body, 'a-day', await client())
    assert.equal(again.status, 422)
    world.clock.advance(-86_400)
  })
})

describe('fifty equal POSTs at once', () => {
  it('with one Idempotency-Key make one row and answer it or 409', async () => {
    const total = await countLanguages()
    const body = language()
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, 'twins')))
    assert.equal(await countLanguages(), Number(total) + 1)
    const made = answers.filter(({ status }) => status === 201)
    const [first] = made
    assert.ok(first)
    for (const { text } of made) assert.equal(text, first.text)
    assert.equal(made.filter((answer) => replayed(answer) === null).length, 1)
    const others = answers.filter(({ status }) => status !== 201)
    for (const { status, json } of others) {
      assert.equal(status, 409)
      assert.equal(json.error, 'Conflict')
      assert.match(json.message, /try again/)
    }
  })
})

describe('a POST while the first one with its key is running', () => {
  it('is answered 409', async () => {
    const { json } = await world.director.get('/oauth/token/info')
    const [row] = await world.database.rows('select id from applications where uid = $1', [json.application.uid])
    const caller = { application: { id: Number(row?.[0]) }, resourceOwnerId: null } as Caller
    const digest = readIdempotencyKey('running', caller, [], () => SEALER.keyedHash('idempotency'))?.digest as Buffer
    await world.database.transaction(async (tx) => {
      await tx.rows('select pg_advisory_xact_lock($1::bigint)', [digest.readBigInt64BE(0)])
      const answer = await post(language(), 'running')
      assert.deepEqual([answer.status, answer.json.error], [409, 'Conflict'])
    })
    assert.equal((await post(language(), 'running')).status, 201)
  })
})

describe('an Idempotency-Key', () => {
  it('is the person’s for whom the application acts: nobody gets what somebody else was answered', async () => {
    const [one, other] = [await world.build.user(), await world.build.user()]
    const scopes = ['public', 'profile']
    const { id } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Shared key', scopes, rate_per_second: 100 }),
    )
    const server = { url: world.url, agent: world.agent }
    const clientFor = async (resourceOwnerId: number | null) => {
      const grant = { applicationId: id, resourceOwnerId, scopes }
      return clientOf(server, (await issueToken(world.database, world.clock, grant)).token)
    }
    const [own, others, again] = [await clientFor(one), await clientFor(other), await clientFor(one)]
    const made = await world.director.post('/v2/expertises', { expertise: { name: 'Knots', kind: 'languages' } })
    const body = { expertises_user: { expertise_id: made.json.id, value: 2 } }
    const first = await post(body, 'shared', own, '/v2/expertises_users')
    assert.equal(first.status, 201, first.text)
    const othersOwn = await post(body, 'shared', others, '/v2/expertises_users')
    assert.deepEqual([othersOwn.status, othersOwn.json.user_id, replayed(othersOwn)], [201, other, null])
    const repeated = await post(body, 'shared', again, '/v2/expertises_users')
    assert.deepEqual([repeated.text, replayed(repeated)], [first.text, 'true'])
  })

  it('helps nobody who reads the database to guess what was sent with it', async () => {
    const names = { email: 'guess@campus.test', first_name: 'G', last_name: 'Uess', kind: 'student' }
    const user = { ...names, password: 'hunter2hunter2' }
    assert.equal((await post({ user }, '1', world.director, '/v2/users')).status, 201)
    const rows = await world.database.kysely.selectFrom('idempotency_keys').select(['digest', 'fingerprint']).execute()
    const { json } = await world.director.get('/oauth/token/info')
    const [row] = await world.database.rows('select id from applications where uid = $1', [json.application.uid])
    const caller = { application: { id: Number(row?.[0]) }, resourceOwnerId: null } as Caller
    const guess = (startHash: () => Hmac) => readIdempotencyKey('1', caller, ['/v2/users', { user }], startHash)
    const matches = (guessed: ReturnType<typeof guess>) =>
      rows.some(({ fingerprint }) => guessed?.fingerprint.equals(fingerprint))
    assert.equal(matches(guess(() => SEALER.keyedHash('idempotency'))), true)
    for (const key of ['', '1', 'idempotency']) assert.equal(matches(guess(() => createHmac('sha256', key))), false)
  })
})

describe('what is kept of a POST with an Idempotency-Key', () => {
  it('is neither the key nor a password that came with it', async () => {
    const user = {
      email: 'kept@campus.test',
      first_name: 'K',
      last_name: 'Ept',
      kind: 'student',
      password: 'canary-password',
    }
    assert.equal((await post({ user }, 'canary-key', world.director, '/v2/users')).status, 201)
    const stored = await everythingStored(world.database)
    assert.ok(stored.includes('kept@campus.test'))
    for (const text of ['canary-key', 'canary-password']) {
      for (const form of [text, Buffer.from(text).toString('hex'), btoa(text)]) assert.ok(!stored.includes(form), form)
    }
  })
})
