import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Jobs, NOTHING_TO_DO } from '../src/base/metrics/jobs.ts'
import { compactCounts, sweep } from '../src/commands/app/housekeeping.ts'
import type { Database } from '../src/database/database.ts'
import { builderOf } from './support/build.ts'
import { testDatabase } from './support/database.ts'

describe('the hourly sweep', () => {
  const now = new Date('2026-03-02T10:00:00.000Z')
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  let database: Database

  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('deletes answers older than a day and tokens that ended more than a day ago, and nothing else', async () => {
    const application = await database.kysely
      .insertInto('applications')
      .values({ name: 'Test', uid: 'a', secret_digest: Buffer.from('a') } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [name, hours] of [
      ['old', 25],
      ['young', 23],
    ] as const) {
      await database.rows(
        `insert into idempotency_keys (digest, fingerprint, status, headers, body, created_at) values ($1, '', 201, '{}', '', $2)`,
        [Buffer.from(name), hoursAgo(hours)],
      )
      await database.rows(
        `insert into access_tokens (digest, application_id, scopes, created_at, expires_at) values ($1, $2, '{}', $3, $3)`,
        [Buffer.from(name), application.id, hoursAgo(hours)],
      )
    }

    await sweep(database, now)

    for (const table of ['idempotency_keys', 'access_tokens']) {
      const left = await database.rows(`select convert_from(digest, 'UTF8') from ${table}`)
      assert.deepEqual(left, [['young']], table)
    }
  })

  it('deletes what is left of sign-ins and authorizations once nobody can use it', async () => {
    const build = builderOf(database)
    const user_id = await build.user()
    const application_id = await build.record('applications', { name: 'Families', uid: 'families' })
    for (const [name, hours] of [
      ['old', 25],
      ['young', 23],
    ] as const) {
      const common = { digest: Buffer.from(name), created_at: hoursAgo(hours), expires_at: hoursAgo(hours) }
      const family = { user_id, application_id, scopes: `{${name}}`, created_at: hoursAgo(1000) }
      const family_id = await build.record('token_families', family)
      await build.record('authorization_codes', { ...common, family_id })
      await build.record('refresh_tokens', { ...common, family_id })
      const ends_at = hoursAgo(hours - 24)
      const ending = { ...common, user_id, expires_at: ends_at }
      await build.record('sessions', { ...ending, last_seen_at: hoursAgo(hours) })
      await build.record('password_resets', ending)
      await database.rows('insert into attempts values ($1, 1, $2)', [common.digest, ends_at])
    }

    await sweep(database, now)

    for (const table of ['authorization_codes', 'refresh_tokens', 'sessions', 'password_resets', 'attempts']) {
      const left = await database.rows(`select convert_from(digest, 'UTF8') from ${table}`)
      assert.deepEqual(left, [['young']], table)
    }
    assert.deepEqual(await database.rows('select scopes from token_families'), [['{young}']])
  })
})

it('whoever looks on is told whether counts were folded', async () => {
  const database = await testDatabase()
  const results: unknown[] = []
  const jobs = new Jobs()
  jobs.instrument(async (_job, work) => {
    const result = await work()
    results.push(result)
    return result
  })
  async function fold(): Promise<unknown> {
    const stop = compactCounts({ database, jobs }, assert.ifError)
    const before = results.length
    while (results.length === before) await new Promise((done) => setTimeout(done, 5))
    await stop()
    return results[before]
  }
  await builderOf(database).user()
  assert.notEqual(await fold(), NOTHING_TO_DO)
  assert.deepEqual(await database.rows('select count(*) from count_changes'), [['0']])
  assert.equal(await fold(), NOTHING_TO_DO)
  await database.close()
})
