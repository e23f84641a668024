import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../src/database/database.ts'
import { sweep } from '../src/housekeeping.ts'
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
})
