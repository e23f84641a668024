import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { startCampus } from '@campus/test/support/run-campus'

describe('campus watch', () => {
  let database: TestDatabase
  let build: Builder
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    database = await testDatabase()
    build = builderOf(database)
    folder = await temporaryFolder()
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  for (const [flags, created, destroyed] of [
    [['--json'], /^\{"type":"create","id":(\d+),"record":\{"id":\1,.*"host":"c1"/, /^\{"type":"destroy","id":\d+\}$/],
    [[], /^create {3}\d+ {2}.*host="c1"/, /^destroy {2}\d+$/],
  ] as const) {
    it(`prints each change of a list as a line, until it is told to end: ${flags[0] ?? 'for people'}`, async () => {
      const [campus_id, other] = [await build.campus(), await build.campus()]
      const user_id = await build.user({ login: `watched${campus_id}` })
      const env = { DATABASE_URL: database.url, CAMPUS_DATA: folder.path }
      const child = startCampus(['watch', 'locations', '--campus', String(campus_id), ...flags], env)
      assert.ok(child.stdout && child.stderr)
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
      const [said] = await once(child.stderr, 'data')
      assert.match(String(said), /locations/)
      await build.location({ user_id, campus_id: other, host: 'elsewhere' })
      const id = await build.location({ user_id, campus_id, host: 'c1' })
      assert.match((await lines.next()).value ?? '', created)
      await database.rows('delete from locations where id = $1', [id])
      assert.match((await lines.next()).value ?? '', destroyed)
      child.kill('SIGINT')
      assert.deepEqual(await once(child, 'exit'), [0, null])
    })
  }
})
