import assert from 'node:assert/strict'
import { finished } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import type { BulkConnection } from '@campus/engine/database/bulk-connection'
import { emptyDatabase, type TestDatabase } from '@campus/test/support/database'
import fc from 'fast-check'
import { copiedLines, jsonLines } from '../copy-text.ts'

const WIDTH = 3
const PIECES = [...'\\"\t\n\r\v\b\f\u0001\u001f\u007f,N[] aé🎓\u2028', 'null', '\\N', '\\.', '\\v', 'u0041']
const value = fc.option(fc.string({ unit: fc.constantFrom(...PIECES) }))
const rowsOfTexts = fc.array(fc.array(value, { minLength: WIDTH, maxLength: WIDTH }), {
  minLength: 200,
  maxLength: 400,
})

describe('the lines of an archive', () => {
  let database: TestDatabase
  before(async () => {
    database = await emptyDatabase()
    for (const name of ['texts', 'again']) await database.rows(`create table ${name} (a text, b text, c text)`)
  })
  after(() => database.close())

  async function fill(rows: readonly (readonly (string | null)[])[]): Promise<void> {
    await database.rows('truncate texts, again')
    const query = 'insert into texts select r ->> 0, r ->> 1, r ->> 2 from json_array_elements($1) r'
    await database.rows(query, [JSON.stringify(rows)])
  }

  const copied = ({ copyOut }: BulkConnection) => copyOut('copy texts to stdout').toArray().then(Buffer.concat)

  const forAnyRows = (check: (connection: BulkConnection) => Promise<void>) =>
    database.inBulk((connection) =>
      fc.assert(
        fc.asyncProperty(rowsOfTexts, async (rows) => {
          await fill(rows)
          await check(connection)
        }),
        { numRuns: 5, endOnFailure: true },
      ),
    )

  it('are the JSON that PostgreSQL makes of the same rows', () =>
    forAnyRows(async (connection) => {
      const lines = await connection.rows('select array_to_json(array[a, b, c]) from texts')
      assert.equal(jsonLines(await copied(connection)).toString(), lines.map(([line]) => `${line}\n`).join(''))
    }))

  it('are the same rows again', () =>
    forAnyRows(async (connection) => {
      const lines = copiedLines(jsonLines(await copied(connection)), WIDTH)
      const sink = connection.copyIn('copy again from stdin')
      sink.end(lines)
      await finished(sink)
      const [differing] = await connection.rows(
        'select count(*) from (table texts except all table again union all (table again except all table texts)) differing',
      )
      const [counts] = await connection.rows('select (select count(*) from texts), (select count(*) from again)')
      assert.deepEqual([differing?.[0], counts?.[0]], ['0', counts?.[1]])
    }))

  it('are left to a reader of JSON where they are otherwise written', () => {
    const written = (text: string) => copiedLines(Buffer.from(text), 2)
    assert.equal(written('["a",null]\n[null,""]\n')?.toString(), 'a\t\\N\n\\N\t\n')
    const others = ['["a", null]\n', '["a"]\n', '["a","b","c"]\n', '["a",1]\n', '["\\u00e9","b"]\n', '["\\/","b"]\n']
    const broken = [
      '["a","b"]',
      '["a","b\n',
      '["a\tb","c"]\n',
      '["a","\\x"]\n',
      '["a","\\u000"]\n',
      '\n',
      '["a","b"]]\n',
    ]
    for (const text of [...others, ...broken]) assert.equal(written(text), undefined, text)
  })
})
