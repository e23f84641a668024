import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { mayWrite } from '@campus/engine/database/writes'
import { campus, type World } from '@campus/test/support/campus'
import { readsOf } from '@campus/test/support/every-read'
import { signedInOf } from '@campus/test/support/people'

describe('a statement that may write', () => {
  for (const text of [
    'insert into users values (1)',
    ' UPDATE users set login = $1',
    'with gone as (delete from users returning 1) select count(*) from gone',
    'with made as (\n insert\n into users default values returning id) select * from made',
    '/* planned anew */ with t as (update users set id = 1 returning 1) select 1',
    'begin',
    'commit',
    'truncate users',
    'call something()',
    "/* select */ delete from users where login = 'select'",
  ])
    it(`is ${text.slice(0, 50)}`, () => assert.ok(mayWrite(text)))
  for (const text of [
    'select 1',
    '  SELECT updated_at from users',
    '/* planned anew */ select 1',
    '/* planned anew */ with t as (select 1) select updated_at from t',
    'with updated as (select 1) select inserted_at from updated',
    'show server_version',
  ])
    it(`is not ${text.slice(0, 50)}`, () => assert.ok(!mayWrite(text)))
})

describe('what is read', () => {
  let world: World
  let sent: string[]

  before(async () => {
    world = await campus({ seeded: true, env: { CAMPUS_RESPONSE_CACHE_MIB: '0' } })
    world.database.statements.listen((text) => {
      sent?.push(text)
      return undefined
    })
  })
  after(() => world.close())

  /** Statements of background work, which may run meanwhile. */
  const BACKGROUND =
    /application_(?:calls|route_calls|refusals)|compact_counts|table_changes|change_epoch|sealing_keys|pdf_jobs|job_leases|deliveries/
  const writes = () => sent.filter((text) => mayWrite(text) && !BACKGROUND.test(text))

  it('of the API waits for no connection to write', async () => {
    const { director, document } = world
    const all = await readsOf(document as never, async (path) => (await director.get(path)).json)
    const reads = all.filter((path) => !path.includes('?'))
    assert.ok(reads.length > 200, `${reads.length} reads`)
    while ((await world.database.rows('select from pdf_jobs where due_at is not null limit 1')).length > 0)
      await wait(50)
    sent = []
    for (const path of reads) await director.get(path)
    assert.deepEqual(writes(), [])
    assert.ok(sent.length > reads.length)
  })

  it('on pages waits for none either, though the visit is noted', async () => {
    const { browser } = await signedInOf(world, { kind: 'admin' })
    world.clock.advance(3_600)
    sent = []
    for (const path of ['/', '/school/users', '/applications', '/security', '/staff', '/apidoc']) {
      assert.ok((await browser.get(path)).status < 500, path)
    }
    const noted = writes()
    assert.ok(
      noted.every((text) => text.includes('"last_seen_at"')),
      noted.join('\n'),
    )
  })
})
