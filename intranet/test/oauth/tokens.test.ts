import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Database, Handle } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'
import { sql } from 'kysely'
import { digestOf } from '../../oauth/digests.ts'
import { callerFinder, type FindToken, issueToken, revokeToken } from '../../oauth/tokens.ts'

/** A database with applications and people, a clock that stands until it is moved, and the lookup under test. */
async function openWorld() {
  const database = await testDatabase()
  const { kysely } = database
  let time = new Date('2026-03-02T10:00:00.000Z')
  const clock = { now: () => time }
  const findCaller = callerFinder({ database, clock })

  async function application(values: { scopes?: string[]; rate_per_second?: number; rate_per_hour?: number } = {}) {
    const uid = randomBytes(32).toString('hex')
    const row = { name: `App ${uid.slice(0, 6)}`, uid, secret_digest: digestOf('secret'), ...values }
    const { id } = await kysely.insertInto('applications').values(row).returning('id').executeTakeFirstOrThrow()
    return { id, uid, name: row.name }
  }

  async function person(login: string) {
    const row = { login, email: `${login}@campus.example`, first_name: 'Ada', last_name: 'Byron' }
    return kysely.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
  }

  async function grantRole(application: { id: number }, role_id: number) {
    await kysely.insertInto('application_roles').values({ application_id: application.id, role_id }).execute()
  }

  async function token(application: { id: number }, { scopes = ['public'], owner = null as number | null } = {}) {
    const grant = { applicationId: application.id, resourceOwnerId: owner, scopes }
    return (await issueToken(database, clock, grant)).token
  }

  return {
    database,
    clock,
    findCaller,
    application,
    person,
    grantRole,
    token,
    passSeconds(seconds: number) {
      time = new Date(time.getTime() + seconds * 1000)
    },
    close: () => database.close(),
  }
}

let world: Awaited<ReturnType<typeof openWorld>>
before(async () => {
  world = await openWorld()
})
after(() => world.close())

async function callerOf(token: string, find: FindToken = world.findCaller) {
  const caller = await find(token)
  if (typeof caller === 'string') assert.fail(`the token was refused as ${caller}`)
  return caller
}

/** Puts a token there that somebody thought of. */
async function store({ kysely }: Handle, text: string, application_id: number): Promise<void> {
  const [created_at, expires_at] = [world.clock.now(), new Date(world.clock.now().getTime() + 1000)]
  const row = { digest: digestOf(text), application_id, resource_owner_id: null, scopes: ['public'] }
  await kysely
    .insertInto('access_tokens')
    .values({ ...row, created_at, expires_at })
    .execute()
}

/** How many statements a new lookup sends to the database during the work. */
async function statementsOf(work: (find: FindToken) => Promise<void>): Promise<number> {
  let statements = 0
  const rows: Database['rows'] = (text, params) => {
    statements += 1
    return world.database.rows(text, params)
  }
  await work(callerFinder({ database: { ...world.database, rows }, clock: world.clock }))
  return statements
}

describe('an issued token', () => {
  test('is 64 hex digits and different each time', async () => {
    const application = await world.application()
    const tokens = [await world.token(application), await world.token(application)]
    for (const token of tokens) assert.match(token, /^[0-9a-f]{64}$/)
    assert.notEqual(tokens[0], tokens[1])
  })

  test('lives for two hours from its issue', async () => {
    const { id } = await world.application()
    const grant = { applicationId: id, resourceOwnerId: null, scopes: ['public'] }
    const { createdAt, expiresAt } = await issueToken(world.database, world.clock, grant)
    assert.deepEqual(createdAt, world.clock.now())
    assert.equal(expiresAt.getTime() - createdAt.getTime(), 7_200_000)
  })

  test('leaves only its digest in the database', async () => {
    const token = await world.token(await world.application())
    const { rows } = await sql<{ row: string }>`select access_tokens::text as row from access_tokens`.execute(
      world.database.kysely,
    )
    const stored = rows.map(({ row }) => row).join('\n')
    assert.ok(stored.includes(digestOf(token).toString('hex')))
    assert.ok(!stored.includes(token))
    assert.ok(!stored.includes(Buffer.from(token).toString('hex')))
  })
})

describe('the caller behind a token', () => {
  test('is the application with its scopes and no resource owner', async () => {
    const application = await world.application({ scopes: ['public', 'projects', 'tig'] })
    const caller = await callerOf(await world.token(application, { scopes: ['projects', 'public'] }))
    assert.deepEqual(caller.application, {
      ...application,
      ownerId: null,
      roles: [],
      ratePerSecond: 2,
      ratePerHour: 1200,
      isRatedByUser: false,
    })
    assert.deepEqual(caller.scopes, ['projects', 'public'])
    assert.equal(caller.resourceOwnerId, null)
  })

  test('includes the person when there is one', async () => {
    const { id } = await world.person('ada')
    const caller = await callerOf(await world.token(await world.application(), { owner: id }))
    assert.equal(caller.resourceOwnerId, id)
  })

  test('carries the roles as granted, in the order of their ids', async () => {
    const application = await world.application()
    for (const role of [13, 5, 11]) await world.grantRole(application, role)
    const caller = await callerOf(await world.token(application))
    assert.deepEqual(caller.application.roles, ['Advanced Tutor', 'Advanced Staff', 'Basic Tutor'])
  })

  test('may call more often as an Official App, and more again as a Certified App', async () => {
    const application = await world.application()
    const token = await world.token(application)
    const rates = async () => {
      const { ratePerSecond, ratePerHour } = (await callerOf(token)).application
      return [ratePerSecond, ratePerHour]
    }
    assert.deepEqual(await rates(), [2, 1200])
    await world.grantRole(application, 16)
    assert.deepEqual(await rates(), [10, 12_000])
    await world.grantRole(application, 20)
    assert.deepEqual(await rates(), [50, 60_000])
  })

  test("has the application's own rates where they are set", async () => {
    const application = await world.application({ rate_per_second: 7 })
    await world.grantRole(application, 16)
    const caller = await callerOf(await world.token(application))
    assert.equal(caller.application.ratePerSecond, 7)
    assert.equal(caller.application.ratePerHour, 12_000)
  })
})

describe('a refused token', () => {
  test('is invalid when nobody issued it', async () => {
    for (const token of ['0'.repeat(64), 'token_dummy', '', 'é\0\ud800', 'x'.repeat(100_000)]) {
      assert.equal(await world.findCaller(token), 'invalid')
    }
  })

  test('is expired from the second that its two hours are over, kept or not', async () => {
    const token = await world.token(await world.application())
    world.passSeconds(7199)
    await callerOf(token)
    world.passSeconds(1)
    assert.equal(await world.findCaller(token), 'expired')
    assert.equal(await callerFinder(world)(token), 'expired')
  })

  test('is revoked on the very next lookup, every time', async () => {
    const application = await world.application()
    for (let round = 0; round < 20; round += 1) {
      const token = await world.token(application)
      await callerOf(token)
      await revokeToken(world.database, world.clock, token, application.id)
      assert.equal(await world.findCaller(token), 'revoked')
    }
  })

  test('is revoked rather than expired when it is both', async () => {
    const application = await world.application()
    const token = await world.token(application)
    await revokeToken(world.database, world.clock, token, application.id)
    world.passSeconds(7200)
    assert.equal(await world.findCaller(token), 'revoked')
  })

  test('is revoked while the account of its resource owner is closed, and good again after', async () => {
    const { id } = await world.person('grace')
    const token = await world.token(await world.application(), { owner: id })
    await callerOf(token)
    const close = (closed_at: Date | null) =>
      world.database.kysely.updateTable('users').set({ closed_at }).where('id', '=', id).execute()
    await close(world.clock.now())
    assert.equal(await world.findCaller(token), 'revoked')
    await close(null)
    await callerOf(token)
  })

  test('is invalid once its application is deleted', async () => {
    const { id } = await world.application()
    const token = await world.token({ id })
    await callerOf(token)
    await world.database.kysely.deleteFrom('applications').where('id', '=', id).execute()
    assert.equal(await world.findCaller(token), 'invalid')
  })
})

describe('a change', () => {
  test("of an application's roles is seen at once", async () => {
    const application = await world.application()
    const token = await world.token(application)
    assert.deepEqual((await callerOf(token)).application.roles, [])
    await world.grantRole(application, 7)
    assert.deepEqual((await callerOf(token)).application.roles, ['Basic Staff'])
    await world.database.kysely.deleteFrom('application_roles').where('application_id', '=', application.id).execute()
    assert.deepEqual((await callerOf(token)).application.roles, [])
  })

  test('of an application is seen at once, and a scope taken from it is gone from its tokens', async () => {
    const application = await world.application({ scopes: ['public', 'tig'] })
    const token = await world.token(application, { scopes: ['public', 'tig'] })
    assert.deepEqual((await callerOf(token)).scopes, ['public', 'tig'])
    const change = { name: 'Renamed', scopes: ['public'] }
    await world.database.kysely.updateTable('applications').set(change).where('id', '=', application.id).execute()
    const caller = await callerOf(token)
    assert.equal(caller.application.name, 'Renamed')
    assert.deepEqual(caller.scopes, ['public'])
  })
})

describe('what was found', () => {
  test('is not asked of the database again', async () => {
    const token = await world.token(await world.application())
    const statements = await statementsOf(async (find) => {
      for (let i = 0; i < 5; i += 1) await callerOf(token, find)
    })
    assert.equal(statements, 1)
  })

  test("survives a user's change for an application's token and not for a person's", async () => {
    const { id } = await world.person('mary')
    const application = await world.application()
    const [ofApplication, ofPerson] = [await world.token(application), await world.token(application, { owner: id })]
    const statements = await statementsOf(async (find) => {
      for (const wallet of [1, 2]) {
        await callerOf(ofApplication, find)
        await callerOf(ofPerson, find)
        await sql`update users set wallet = ${wallet} where id = ${id}`.execute(world.database.kysely)
      }
    })
    assert.equal(statements, 3)
  })

  test('is not asked again when it was a refusal, until anything at all is committed', async () => {
    const unknown = randomBytes(32).toString('hex')
    const application = await world.application()
    const revoked = await world.token(application)
    await revokeToken(world.database, world.clock, revoked, application.id)
    const askFive = async (find: FindToken) => {
      for (let i = 0; i < 5; i += 1) {
        assert.equal(await find(unknown), 'invalid')
        assert.equal(await find(revoked), 'revoked')
      }
    }
    // Commits in other databases of the server end it, too, so it is tried until there was none.
    const snapshot = async () => String(await world.database.rows('select pg_current_snapshot()'))
    for (;;) {
      const before = await snapshot()
      const statements = await statementsOf(askFive)
      if ((await snapshot()) !== before) continue
      assert.equal(statements, 2)
      break
    }
    const statements = await statementsOf(async (find) => {
      await askFive(find)
      await world.database.rows('select pg_current_xact_id()')
      await askFive(find)
    })
    assert.ok(statements >= 4, `${statements} statements`)
  })

  test('is found anew when it was a refusal while the token was being stored', async () => {
    const text = randomBytes(32).toString('hex')
    const { id } = await world.application()
    await world.database.transaction(async (tx) => {
      await store(tx, text, id)
      for (let i = 0; i < 3; i += 1) assert.equal(await world.findCaller(text), 'invalid')
    })
    assert.equal((await callerOf(text)).application.id, id)
  })

  test('is found anew when it was a refusal and the token is stored by hand', async () => {
    const text = randomBytes(32).toString('hex')
    const { id } = await world.application()
    assert.equal(await world.findCaller(text), 'invalid')
    await store(world.database, text, id)
    assert.equal((await callerOf(text)).application.id, id)
  })
})

describe('revoking', () => {
  test('keeps the time of the first revocation', async () => {
    const { id } = await world.application()
    const token = await world.token({ id })
    const firstRevokedAt = world.clock.now()
    assert.equal(await revokeToken(world.database, world.clock, token, id), 'revoked')
    world.passSeconds(60)
    assert.equal(await revokeToken(world.database, world.clock, token, id), 'revoked')
    const row = await world.database.kysely
      .selectFrom('access_tokens')
      .select('revoked_at')
      .where('digest', '=', digestOf(token))
      .executeTakeFirstOrThrow()
    assert.deepEqual(row.revoked_at, firstRevokedAt)
  })

  test("leaves another application's token as it is", async () => {
    const [holder, other] = [await world.application(), await world.application()]
    const token = await world.token(holder)
    assert.equal(await revokeToken(world.database, world.clock, token, other.id), 'foreign')
    await callerOf(token)
  })
})
