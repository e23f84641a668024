import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Campus, emptyCampus, kill } from '@campus/test/faults/server-process'
import type { Client } from '@campus/test/support/client'
import { newerRelease, type Release } from '@campus/test/support/newer-release'
import { builderOf } from '@campus/test/support/row-builder'
import { runCommand } from '@campus/test/support/run-command'
import pg from 'pg'

const TOMORROW = '9000_of_tomorrow'
const CONTRACTION = '9000_contract_of_tomorrow'
/** Seen by its triggers alone, the table does not change. */
const UNRECORDED = [
  'engine/database/functions/change-triggers.ts',
  "'change_epoch',",
  "'change_epoch', 'locations',",
] as const
const MIGRATION = "export const up = (db) => db.schema.createTable('of_tomorrow').addColumn('id', 'integer').execute()"
const OTHER_FUNCTION = ['engine/database/functions/searched-text.ts', 'lower(', '/* of tomorrow */ lower('] as const
const OTHER_INDEX = [
  'intranet/school/resources/dashes.ts',
  "defaultSort: ['-begin_at', '-id']",
  "defaultSort: ['-end_at', '-id']",
] as const

const INSERT = `insert into locations (user_id, campus_id, host, begin_at)
  select users.id, campus.id, $1, now() from users, campus where login = 'ada' limit 1`

const release = (changed: Partial<Parameters<typeof newerRelease>[0]>) =>
  newerRelease({ version: '99.0.0', ...changed })

describe('a service beside which a newer release changes the database', () => {
  async function beside<T>(newer: Promise<Release>, work: (campus: Campus, newer: Release) => Promise<T>): Promise<T> {
    const [campus, other] = await Promise.all([emptyCampus({ database: 'shared' }), newer])
    try {
      const database = await campus.openDatabase()
      await builderOf(database).user({ login: 'ada' })
      await builderOf(database).campus({ slug: 'paris' })
      await database.close()
      return await work(campus, other)
    } finally {
      await campus.remove()
      await other.remove()
    }
  }
  const migrate = async (newer: Release, campus: Campus) => {
    const { code, stderr } = await newer.run(['migrate', '--contract', '--json'], campus.env)
    assert.equal(code, 0, stderr)
  }
  /** By hand: this release finds the database too new, as the service does. */
  async function ask(campus: Campus, text: string, values: readonly unknown[] = []) {
    const client = new pg.Client({ connectionString: campus.env.DATABASE_URL as string })
    await client.connect()
    try {
      return (await client.query({ text, values: [...values], rowMode: 'array' })).rows
    } finally {
      await client.end()
    }
  }
  /** Makes stays, and asks how many there are: as many as were made before, or 503, or nothing any more. */
  async function countStays(campus: Campus, client: Client, until: () => boolean): Promise<number[]> {
    const statuses: number[] = []
    for (let made = 1; !until(); made += 1) {
      await ask(campus, INSERT, [`c${made}`])
      const answer = await client.get('/v2/locations?page[size]=1').catch(() => undefined)
      statuses.push(answer?.status ?? 0)
      if (answer?.status === 200) assert.equal(answer.headers.get('x-total'), String(made))
      else assert.ok(answer === undefined || answer.status === 503, answer?.text)
      await wait(20)
    }
    return statuses
  }
  const objects = (campus: Campus) =>
    ask(
      campus,
      `select proname, md5(pg_get_functiondef(oid)) from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
       union all select tgname, md5(pg_get_triggerdef(t.oid)) from pg_trigger t where not tgisinternal
       union all select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
    )

  for (const processes of ['1', '2']) {
    it(`answers 503 and ends, of ${processes} processes, and never shows what is no longer so`, () =>
      beside(release({ migrations: { [CONTRACTION]: MIGRATION }, changes: [UNRECORDED] }), async (campus, newer) => {
        const server = await campus.start({ CAMPUS_PROCESSES: processes })
        const client = await campus.caller()
        let isEnded = false
        void server.outcome.then(() => {
          isEnded = true
        })
        assert.equal((await client.get('/v2/locations')).status, 200)
        await migrate(newer, campus)
        const statuses = await countStays(campus, client, () => isEnded)
        assert.ok(!statuses.includes(200) || statuses.lastIndexOf(200) < statuses.length - 1)
        const { code, stderr, stdout } = await server.outcome
        assert.equal(code, 1)
        assert.match(stderr, new RegExp(`newer release.*${CONTRACTION}`))
        assert.match(stdout, /start the newer release/)

        const before = await objects(campus)
        await assert.rejects(campus.start(), new RegExp(`newer release.*${CONTRACTION}`))
        assert.deepEqual(await objects(campus), before)
        const doctor = await runCommand(['doctor'], campus.env)
        assert.match(doctor.stdout, new RegExp(`✖ database +a newer release has changed it .${CONTRACTION}.`))
      }))
  }

  it('serves on where the migration says that former releases do, and leaves what the newer one has made', () =>
    beside(
      release({
        migrations: { [TOMORROW]: MIGRATION },
        changes: [OTHER_FUNCTION, OTHER_INDEX],
      }),
      async (campus, newer) => {
        const server = await campus.start()
        await migrate(newer, campus)
        const made = await objects(campus)
        const end = Date.now() + 3_000
        const statuses = await countStays(campus, await campus.caller(), () => Date.now() > end)
        assert.deepEqual(new Set(statuses), new Set([200]))
        await kill(server)
        const again = await campus.start()
        assert.equal((await (await campus.caller()).get('/v2/locations')).status, 200)
        await kill(again)
        assert.deepEqual(await objects(campus), made)
      },
    ))

  it('leaves functions and indexes of a newer release also where that has the same migrations', () =>
    beside(release({ changes: [OTHER_FUNCTION, OTHER_INDEX] }), async (campus, newer) => {
      const before = await objects(campus)
      await migrate(newer, campus)
      const made = await objects(campus)
      assert.notDeepEqual(made, before)
      await kill(await campus.start())
      assert.deepEqual(await objects(campus), made)
    }))
})
