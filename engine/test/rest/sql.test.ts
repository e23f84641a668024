import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNeverCached } from '../../database/functions/change-triggers.ts'
import { open } from '../../rest/declare/access.ts'
import { checkSql } from '../../rest/declare/check-sql.ts'
import { integer, time } from '../../rest/declare/fields/columns.ts'
import { sqlInteger } from '../../rest/declare/fields/computed.ts'
import { guarded } from '../../rest/declare/fields/guarded.ts'
import { type CustomFilter, when, whenFuture, whenSet } from '../../rest/declare/filters.ts'
import { NOW } from '../../rest/declare/placeholders.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { resource } from '../../rest/declare/resource.ts'
import {
  bypassGuards,
  caller,
  column,
  literal,
  minutesFromNow,
  now,
  type Reads,
  sql,
  sqlFunction,
  table,
} from '../../rest/declare/sql.ts'
import { askedOfColumn, asksForAllButFew, indexedColumn } from '../../rest/read/custom-filter.ts'
import { ACCESS } from '../support/library.ts'
import { storageOf } from '../support/reading-engine.ts'

const begin = column('begin_at')
const loans = table('loans', 'l')
const READERS = {
  columns: new Set(['readers.id', 'readers.begin_at', 'readers.ended_at', 'loans.reader_id', 'sessions.id']),
}

describe('SQL of a declaration', () => {
  it('writes identifiers in quotes with the alias of the row', () => {
    const condition = sql`exists (select 1 from ${loans} where ${loans.column('reader_id')} = ${column('id')})`
    assert.equal(condition.write({ alias: 't' }), 'exists (select 1 from "loans" l where l."reader_id" = t."id")')
  })

  it('records tables, columns and whether it depends on the caller', () => {
    const condition = sql`exists (select 1 from ${loans} where ${loans.column('reader_id')} = ${caller.person}) or ${begin} is null`
    assert.deepEqual(condition.tables, ['loans'])
    assert.deepEqual(condition.columns, [{ table: 'loans', column: 'reader_id' }, { column: 'begin_at' }])
    assert.deepEqual([condition.byCaller, condition.timeDependencies], [true, []])
  })

  it('attributes what SQL on a row of another table reads to that table, and uses its alias', () => {
    const other = table('loans', '_other')
    const inner = sql`(${begin} > ${minutesFromNow(15)})`
    const outer = sql`exists (select 1 from ${other} where ${other.row(inner)})`
    assert.equal(
      outer.write({ alias: 't' }),
      `exists (select 1 from "loans" t_other where (t_other."begin_at" > ${NOW} + interval '15 minutes'))`,
    )
    assert.deepEqual(outer.timeDependencies, [{ table: 'loans', column: 'begin_at', minutesBefore: 15 }])
    assert.deepEqual(outer.disclosed, [])
  })

  it('discloses the columns that it reads unless it bypasses guards', () => {
    const condition = sql`${begin} is null and ${column('id')} = ${column('id')}`
    assert.deepEqual(condition.disclosed, ['begin_at', 'id'])
    assert.deepEqual(bypassGuards(condition).disclosed, [])
    assert.deepEqual(sql`not ${bypassGuards(condition)}`.columns.length, 3)
  })

  describe('changes its result without a write', () => {
    const AT_BEGIN = [{ column: 'begin_at' }]
    const cases: Readonly<Record<string, readonly [Reads, Reads['timeDependencies']]>> = {
      'when the time in a column comes': [sql`(${begin} is not null and ${begin} > ${now})`, AT_BEGIN],
      'when the time in a column has come': [sql`not ${sql`(${begin} <= ${now})`}`, AT_BEGIN],
      'minutes before the time in a column': [
        sql`${begin} > ${minutesFromNow(5)} and true`,
        [{ column: 'begin_at', minutesBefore: 5 }],
      ],
      'never, if it does not contain the current time': [sql`${begin} is not null`, []],
      'at any time, if it calculates with the current time': [sql`${begin} > ${now} - interval '1 day'`, undefined],
      'at any time, if it calculates with the column': [sql`interval '1 day' + ${begin} > ${now}`, undefined],
      'at any time, if an operator follows the comparison': [
        sql`${sql`${begin} > ${now}`} - interval '1 day'`,
        undefined,
      ],
      'at any time, if another part follows the comparison at once': [
        sql`${begin} > ${now}${sql` - interval '1 day'`}`,
        undefined,
      ],
      'at any time, if another part stands before the column': [
        sql`${sql`interval '1 day' + `}${begin} > ${now}`,
        undefined,
      ],
      'at any time, if the comparison also holds at the time in the column': [sql`${begin} >= ${now}`, undefined],
      'at any time, if the current time is not compared with a column': [sql`date_trunc = ${now}`, undefined],
    }
    for (const [name, [{ timeDependencies }, expected]] of Object.entries(cases))
      it(name, () => assert.deepEqual(timeDependencies, expected))
  })

  it('is refused if its text names a table or calls a function of the database', () => {
    for (const [make, fault] of [
      [() => sql`exists (select from loans where reader_id = ${begin})`, /^sql reads loans in its text/],
      [() => sql`(select max(id) from ${loans} join books b on true)`, /^sql reads books in its text/],
      [() => sql`(select max(id) from ${loans}, books)`, /^sql reads a list of tables/],
      [() => sql`(select max(id) from ${begin})`, /^sql reads from something other than a table/],
      [() => sql`exists (select from (books) where ${begin} is null)`, /^sql reads a table in parentheses/],
      [() => sql`"place_of"(${begin})`, /^sql quotes an identifier/],
      [() => sql`${begin} > current_timestamp`, /^sql uses current_timestamp in its text/],
      [() => sql`place_of(${begin})`, /^sql calls place_of in its text/],
    ] as const)
      assert.throws(make, { message: fault })
    assert.doesNotThrow(
      () => sql`${begin} is distinct from null and ${begin} is distinct from ${now} and 'from loans' = ${literal('')}`,
    )
  })
})

const readers = (customFilters: Readonly<Record<string, CustomFilter>>, fields = {}) =>
  resource({
    name: 'readers',
    singular: 'reader',
    summary: 'A reader.',
    large: true,
    aggregates: { groups: [['begin_at?']] },
    fields: { id: integer(), begin_at: time(), ended_at: time(), ...fields },
    index: { sort: ['id'], customFilters },
    actions: { index: open, show: open },
  })

describe('a start', () => {
  const storage = {
    ...storageOf([], ['sessions']),
    functions: [{ name: 'place_of', language: 'sql', body: 'select rank from standings' } as const],
  }
  const start = (declared: ReturnType<typeof readers>) => checkSql(READERS, new Registry([declared], ACCESS), storage)
  const refused: Readonly<Record<string, readonly [ReturnType<typeof readers>, RegExp]>> = {
    'a column of a filter that does not exist': [
      readers({ late: whenSet('late_at') }),
      /^readers filtered by late: the database has no column readers\.late_at$/,
    ],
    'a table of a computed field that does not exist': [
      readers({}, { loans: sqlInteger(sql`(select count(*) from ${table('books')})`) }),
      /^readers\.loans: the database has no table books$/,
    ],
    'a column of a guard that does not exist': [
      readers({}, { secret: guarded({ hides: sql`${column('is_secret')}` }, integer()) }),
      /^readers\.secret: the database has no column readers\.is_secret$/,
    ],
    'a table whose changes are not recorded': [
      readers({ here: when(sql`exists (select from ${table('sessions')})`) }),
      /^readers filtered by here: changes of sessions are not recorded$/,
    ],
    'a function that the database does not have': [
      readers({ best: when(sql`${sqlFunction('is_best', [])}(${column('id')})`) }),
      /^readers filtered by best: the database has no function is_best$/,
    ],
  }
  assert.ok(isNeverCached('sessions', storage.recording))
  for (const [name, [declared, fault]] of Object.entries(refused))
    it(`refuses ${name}`, () => assert.throws(() => start(declared), { message: fault }))

  it('refuses a function that reads a table which is not named', () => {
    const columns = new Set([...READERS.columns, 'standings.rank'])
    const declared = readers({}, { rank: sqlInteger(sql`${sqlFunction('place_of', [])}(1, 2)`) })
    assert.throws(() => checkSql({ columns }, new Registry([declared], ACCESS), storage), {
      message: 'readers.rank: a function reads standings, which sqlFunction does not name',
    })
  })

  it('accepts columns that exist', () => assert.doesNotThrow(() => start(readers({ begun: whenSet('begin_at') }))))
})

describe('a filter', () => {
  const asked = (filter: CustomFilter, ...values: readonly (boolean | null)[]) =>
    ({ kind: 'custom filter', filter, values }) as const

  it('by whether a column is set or has one value is counted as a filter of that column', () => {
    const unset = when(sql`${begin} is null`)
    assert.deepEqual(askedOfColumn(asked(whenSet('begin_at'), true)), {
      column: 'begin_at',
      isSet: true,
      values: ['true'],
    })
    assert.deepEqual(askedOfColumn(asked(unset, true)), { column: 'begin_at', isSet: true, values: ['false'] })
    assert.deepEqual(askedOfColumn(asked(unset, false, null)), { column: 'begin_at', isSet: true, values: ['true'] })
    const isWord = when(sql`${column('kind')} = ${literal('admin')}`)
    assert.deepEqual(askedOfColumn(asked(isWord, true)), { column: 'kind', values: ['admin'] })
    assert.equal(askedOfColumn(asked(isWord, false)), undefined)
    assert.equal(askedOfColumn(asked(when(sql`${begin} is not null and true`), true)), undefined)
  })

  it('for times in the future excludes few records if it is false', () => {
    assert.equal(asksForAllButFew(asked(whenFuture('begin_at'), false)), true)
    assert.equal(asksForAllButFew(asked(whenFuture('begin_at'), true)), false)
    assert.equal(asksForAllButFew(asked(when(sql`(${begin} is not null and ${begin} <= ${now})`), false)), false)
  })

  it('by whether a column is set has an index if a large resource has an aggregate by it', () => {
    const set = whenSet('begin_at')
    assert.equal(indexedColumn(readers({}), set), 'begin_at')
    assert.equal(indexedColumn(readers({}), whenSet('ended_at')), undefined)
    assert.equal(indexedColumn({ ...readers({}), large: false }, set), undefined)
  })
})
