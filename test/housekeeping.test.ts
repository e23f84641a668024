import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { compactCounts, purgeChangeLog } from '@campus/engine/changes/upkeep'
import type { Database } from '@campus/engine/database/database'
import { BATCH_ROWS } from '@campus/engine/database/in-batches'
import { purgeChanges } from '@campus/engine/database/table-changes'
import { EXPIRED, sweep } from '@campus/intranet/server/app/housekeeping'
import { sweepProfilePictures } from '@campus/intranet/services/attachments/profile-pictures'
import { sql } from 'kysely'
import { testDatabase } from './support/database.ts'
import { builderOf } from './support/row-builder.ts'

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

describe('a clean-up of more rows than a batch', () => {
  const now = new Date('2026-03-02T10:00:00.000Z')
  const ROWS = BATCH_ROWS + 10
  let database: Database
  before(async () => {
    database = await testDatabase()
    await database.rows('create table statements (relation text, changed int)')
    await database.rows(`create function count_statement() returns trigger language plpgsql as $$
      begin insert into statements select tg_table_name, count(*) from gone; return null; end $$`)
  })
  after(() => database.close())

  /** Fills a table with rows of any values, whose times are long ago. */
  async function fill(table: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const columns = await database.kysely
      .selectFrom(
        sql<{ name: string; type: string }>`(
        select attname as name, format_type(atttypid, null) as type from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
          and (attnotnull or attname = any(${Object.keys(values)}) or atttypid = 'timestamptz'::regtype)
          and (not atthasdef or attname = any(${Object.keys(values)}) or atttypid = 'timestamptz'::regtype)
      )`.as('found'),
      )
      .selectAll()
      .execute()
    const sample: Readonly<Record<string, string>> = {
      bytea: "decode(lpad(to_hex(n), 64, '0'), 'hex')",
      'timestamp with time zone': "'2020-01-01T00:00:00Z'",
      boolean: 'false',
      jsonb: "'{}'",
      json: "'{}'",
      uuid: 'gen_random_uuid()',
      'text[]': "'{}'",
      'integer[]': "'{}'",
    }
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const made = columns.map(({ name, type }) => values[name] ?? sample[type] ?? `n::text::${type}`).join(', ')
    await database.transaction(async (tx) => {
      await tx.rows('set local session_replication_role = replica')
      await tx.rows(`insert into ${table} (${names}) select ${made} from generate_series(1, ${ROWS}) n`)
    })
  }

  const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    deliveries: { state: "'dead'", decided_at: "'2020-01-01'", due_at: 'null', sealed: 'null' },
    webhook_deliveries: { state: "'dead'", decided_at: "'2020-01-01'", due_at: 'null' },
  }

  for (const table of new Set([
    ...EXPIRED.map(([name]) => name),
    ...['token_families', 'deliveries', 'webhook_deliveries', 'callbacks', 'sealed_secrets', 'profile_pictures'],
  ])) {
    it(`deletes from ${table} in several statements`, async () => {
      const user_id = table === 'profile_pictures' ? await builderOf(database).user() : undefined
      await fill(table, user_id === undefined ? VALUES[table] : { user_id: String(user_id) })
      await database.rows(`create trigger counted after delete on ${table} referencing old table as gone
        for each statement execute function count_statement()`)
      await database.rows(`alter table ${table} enable always trigger counted`)
      await sweep(database, now)
      await sweepProfilePictures(database, now)
      const statements = await database.rows(
        'select changed from statements where relation = $1 and changed > 0 order by changed',
        [table],
      )
      assert.deepEqual(statements, [['10'], [String(BATCH_ROWS)]])
      await database.rows(`drop trigger counted on ${table}`)
    })
  }

  /** Runs work, and asserts that its deletes from a table changed at most a batch of rows each. */
  async function assertInBatches(table: string, work: () => Promise<unknown>): Promise<void> {
    await database.rows(`create trigger counted after delete on ${table} referencing old table as gone
      for each statement execute function count_statement()`)
    await work()
    const statements = await database.rows('select changed from statements where relation = $1 and changed > 0', [
      table,
    ])
    assert.deepEqual(
      statements.map(([changed]) => Number(changed)).toSorted((a, b) => a - b),
      [10, BATCH_ROWS],
    )
    assert.deepEqual(await database.rows(`select count(*) from ${table}`), [['0']])
    await database.rows(`drop trigger counted on ${table}`)
  }

  it('compacts counts in several statements, and counts each once', async () => {
    await database.rows('delete from count_changes')
    await database.rows(
      `insert into count_changes select 'batches', 'rows', '{}', 0, 1 from generate_series(1, ${ROWS})`,
    )
    await assertInBatches('count_changes', async () => {
      const jobs = new Jobs()
      const done = new Promise((resolve) => jobs.instrument((_job, work) => work().finally(() => resolve(undefined))))
      const stop = compactCounts({ database, jobs }, assert.ifError)
      await done
      await stop()
    })
    const counted = await database.rows("select row_count from compacted_counts where relation = 'batches'")
    assert.deepEqual(counted, [[String(ROWS)]])
  })

  it('deletes recorded changes in several statements, also those that a process which died has left', async () => {
    const age = () => database.rows("update change_epoch set settled_at = now() - interval '2 minutes'")
    await database.rows('truncate table_changes')
    await database.rows(
      `insert into table_changes (relation) select 'batches ' || n from generate_series(1, ${ROWS}) n`,
    )
    for (let turn = 0; turn < 2; turn += 1) {
      await age()
      // Simulates a process that died before it deleted anything.
      await database.rows(
        'update change_epoch set purged_before = purged, purged = settled, settled = pg_current_snapshot()',
      )
    }
    await assertInBatches('table_changes', () => purgeChanges(database.rows))
  })

  it('deletes copied changes of the feed in several statements', async () => {
    await database.rows('delete from change_log')
    await database.rows(`insert into change_log (relation, record_id, operation)
      select 'batches', n, 'insert' from generate_series(1, ${ROWS}) n`)
    await database.rows("select relay_changes('test', 60)")
    await assertInBatches('change_log', () => purgeChangeLog(database))
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
