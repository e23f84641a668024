import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  DriverQuery,
  onParameter,
  openKysely,
  prepareValue,
  processIdOf,
  sendQuery,
  streamOf,
} from '@campus/engine/database/driver'
import { PreparedNames } from '@campus/engine/database/prepared-names'
import { runRows } from '@campus/engine/database/run-rows'
import { testDatabase } from '@campus/test/support/database'
import pg from 'pg'

test('the driver is pinned to the version whose internals are used', async () => {
  const { dependencies } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  assert.match(dependencies.pg, /^\d+\.\d+\.\d+$/)
})

test('the internals of the driver are where they were', async () => {
  const database = await testDatabase()
  const client = new pg.Client({ connectionString: database.url })
  const encodings: string[] = []
  onParameter(client, 'server_encoding', (encoding) => encodings.push(encoding))
  await client.connect()
  try {
    assert.deepEqual(encodings, ['UTF8'])
    assert.equal(prepareValue([1, null]), '{"1",NULL}')
    assert.equal(typeof streamOf(client).destroy, 'function')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    assert.equal(processIdOf(client), rows[0].pid)
    const connection: object = Reflect.get(client, 'connection')
    for (const name of ['parse', 'bind', 'execute', 'sync'])
      assert.equal(typeof Reflect.get(connection, name), 'function')
    for (const name of ['parsedStatements', 'submittedNamedStatements'])
      assert.equal(typeof Reflect.get(connection, name), 'object')

    const names = new PreparedNames()
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual(await runRows(client, names, 'select $1::int, true, null', [7]), [['7', 't', null]])
    assert.ok(Object.values(Reflect.get(connection, 'parsedStatements')).includes('select $1::int, true, null'))
    await assert.rejects(runRows(client, names, 'select 1 / $1::int', [0]), { code: '22012' })

    for (const method of ['submit', 'handleCommandComplete'])
      assert.equal(typeof Reflect.get(DriverQuery.prototype, method), 'function')
    const query = new DriverQuery({ text: 'select 1 as one', values: [], queryMode: 'extended' })
    assert.deepEqual((await sendQuery<pg.QueryResult>(client, query)).rows, [{ one: 1 }])
    const kysely = openKysely(async () => ({ query: (text, values) => client.query(text, values), release() {} }))
    assert.deepEqual(await kysely.selectFrom('users').select('id').where('id', '=', 0).execute(), [])
  } finally {
    await client.end()
    await database.close()
  }
})
