/** Tokens that are asked for at the same time are read and stored together, and each is judged by itself. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { authenticateClient, type Client, readApplications } from '../../oauth/authenticate-client.ts'
import { storeClientTokens } from '../../oauth/client-tokens.ts'
import { digestOf } from '../../oauth/digests.ts'
import { grantClientToken } from '../../oauth/token/client-token.ts'
import { callerFinder } from '../../oauth/tokens.ts'

const clock = { now: () => new Date('2026-03-02T10:00:00.000Z') }
const PARAMETERS = { grant_type: 'client_credentials' }

let database: TestDatabase
/** The same, which counts the statements that are sent outside of transactions. */
let counted: Database
let statements = 0
before(async () => {
  database = await testDatabase()
  counted = {
    ...database,
    rows(text, params) {
      statements += 1
      return database.rows(text, params)
    },
  }
})
after(() => database.close())

type Registered = { readonly id: number; readonly uid: string; readonly secret: string }

async function application(): Promise<Registered> {
  const [uid, secret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const row = { name: `App ${uid.slice(0, 6)}`, uid, secret_digest: digestOf(secret), scopes: ['public', 'forum'] }
  const query = database.kysely.insertInto('applications').values(row).returning('id')
  return { ...(await query.executeTakeFirstOrThrow()), uid, secret }
}

const prove = (applications: ReturnType<typeof readApplications>, { uid, secret }: Registered): Promise<Client> =>
  authenticateClient({ applications, clock }, { headers: {} } as never, { client_id: uid, client_secret: secret })

const granting = (from: Database = database) => ({
  ...{ baseUrl: 'https://campus.example', database, clock },
  clientTokens: storeClientTokens(from),
})

test('applications that ask at once are read by one statement, and their tokens stored and found by one each', async () => {
  const registered = await Promise.all(Array.from({ length: 20 }, application))
  const asking = [...registered, ...registered]
  const applications = readApplications(counted)
  const [dependencies, findCaller] = [granting(counted), callerFinder({ database: counted, clock })]
  statements = 0
  const clients = await Promise.all(asking.map((one) => prove(applications, one)))
  assert.equal(statements, 1)
  const granted = await Promise.all(
    clients.map((client, place) =>
      grantClientToken(dependencies, client, { ...PARAMETERS, scope: place % 2 === 0 ? 'forum' : 'public forum' }),
    ),
  )
  assert.equal(statements, 2)
  const callers = await Promise.all(granted.map(({ token }) => findCaller(token)))
  assert.equal(statements, 3)
  for (const [place, caller] of callers.entries()) {
    if (typeof caller === 'string') assert.fail(caller)
    assert.equal(caller.application.id, asking[place]?.id)
    assert.deepEqual(caller.scopes, place % 2 === 0 ? ['forum'] : ['public', 'forum'])
    assert.equal(caller.resourceOwnerId, null)
  }
  assert.equal(new Set(granted.map(({ token }) => token)).size, asking.length)
})

test('a wrong secret among many right ones is refused alone', async () => {
  const registered = await Promise.all(Array.from({ length: 5 }, application))
  const applications = readApplications(database)
  const outcomes = await Promise.allSettled(
    registered.map((one, place) => prove(applications, place === 2 ? { ...one, secret: 'guessed' } : one)),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

test('an application that is just changing waits until that is over, and nobody waits with it', async () => {
  const [changing, other] = [await application(), await application()]
  const applications = readApplications(database)
  const [client, bystander] = await Promise.all([prove(applications, changing), prove(applications, other)])
  const dependencies = granting()
  const rotation = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const rotated = database.transaction(async (tx) => {
    const next = { secret_digest: digestOf('another') }
    await tx.kysely.updateTable('applications').set(next).where('id', '=', changing.id).execute()
    begun.resolve()
    await rotation.promise
  })
  await begun.promise
  const refused = assert.rejects(grantClientToken(dependencies, client, PARAMETERS), { status: 401 })
  await grantClientToken(dependencies, bystander, PARAMETERS)
  rotation.resolve()
  await rotated
  await refused
  assert.equal(await tokensOf(changing), 0)
  assert.equal(await tokensOf(other), 1)
})

test('an application that has changed since it proved itself proves itself once more', async () => {
  const [renamed, rotated, suspended] = await Promise.all([application(), application(), application()])
  const applications = readApplications(database)
  const clients = await Promise.all([renamed, rotated, suspended].map((one) => prove(applications, one)))
  const change = (id: number, values: object) =>
    database.kysely.updateTable('applications').set(values).where('id', '=', id).execute()
  await change(renamed.id, { name: 'Another name' })
  await change(rotated.id, { secret_digest: digestOf('another') })
  await change(suspended.id, { suspended_at: clock.now() })
  const dependencies = granting()
  const outcomes = await Promise.allSettled(clients.map((client) => grantClientToken(dependencies, client, PARAMETERS)))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  assert.deepEqual(await Promise.all([renamed, rotated, suspended].map(tokensOf)), [1, 0, 0])
})

async function tokensOf({ id }: Registered): Promise<number> {
  const rows = await database.kysely.selectFrom('access_tokens').select('id').where('application_id', '=', id).execute()
  return rows.length
}
