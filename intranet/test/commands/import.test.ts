import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import type { Engine } from '@campus/engine/rest/engine'
import { importFile } from '@campus/engine/rest/import/import-file'
import { PARTS } from '@campus/service/parts'
import { workCounter } from '@campus/test/support/count-work'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { exportForCommand } from '../../cli/export-command.ts'
import { type ImportValues, importForCommand } from '../../cli/import-command.ts'
import { openEngine, operator } from '../../cli/open-engine.ts'
import { fileCommands } from '../../cli/program/files.ts'
import { campusProgram } from '../../cli/program/program.ts'
import { describeResult } from '../../server/database-command.ts'
import { readConfig } from '../../settings/config.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const IMPORT = defined(fileCommands.find(({ name }) => name === 'import'))

let world: { readonly database: TestDatabase; readonly config: ReturnType<typeof readConfig>; readonly build: Builder }
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let engine: Engine
const dependencies = () => ({
  database: world.database,
  config: world.config,
  sealing: async () => createSealing(undefined),
})

before(async () => {
  folder = await temporaryFolder()
  const database = await testDatabase()
  world = { database, config: readConfig({ CAMPUS_DATA: folder.path }), build: builderOf(database) }
  await world.build.campus()
  engine = await openEngine(dependencies())
})
after(async () => {
  await world.database.close()
  await folder.remove()
})

let files = 0
async function fileOf(content: string | Buffer, ending = 'csv'): Promise<string> {
  files += 1
  const path = join(folder.path, `${files}.${ending}`)
  await writeFile(path, content)
  return path
}

const PLAIN = { hasOwnIds: false, takesGoodRows: false, isTrial: false, sendsWebhooks: true } as const
type Values = Partial<ImportValues> & { readonly mapping?: object; readonly ending?: string }

/** Imports a file of this content. */
async function importOf(resource: string, content: string | Buffer, { mapping, ending, ...values }: Values = {}) {
  const mappingFile = mapping && (await fileOf(JSON.stringify(mapping), 'json'))
  const file = await fileOf(content, ending)
  return importForCommand(dependencies(), { resource, file, mappingFile, ...PLAIN, ...values }, () => {})
}

const table = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
const NAMES = 'login,email,first_name,last_name,kind'
let people = 0
/** A line for a new user. */
function person(more = ''): string {
  people += 1
  return `im${people},im${people}@example.org,Ada,Byron,student${more}`
}

const someone = () => world.build.user()

const countOf = async (from: string) => Number((await world.database.rows(`select count(*) from ${from}`))[0]?.[0])
const shown = ({ faults }: Awaited<ReturnType<typeof importOf>>) =>
  faults.map(({ line, column, fault }) => `${line} ${column}: ${fault}`)

type Planted = { readonly column: string | null; readonly words: RegExp; readonly row: (n: number) => string }

const PLANTED: readonly Planted[] = [
  { column: 'email', words: /must look like name@/, row: (n) => `p${n},no address,Ada,Byron,student,1` },
  { column: 'email', words: /has already been taken/, row: (n) => `p${n},p0@example.org,Ada,Byron,student,1` },
  { column: 'login', words: /must be 1 to 31 lower-case/, row: (n) => `P ${n},p${n}@example.org,Ada,Byron,student,1` },
  { column: 'first_name', words: /can't be blank/, row: (n) => `p${n},p${n}@example.org,,Byron,student,1` },
  { column: 'last_name', words: /too long/, row: (n) => `p${n},p${n}@example.org,Ada,${'x'.repeat(300)},student,1` },
  { column: 'kind', words: /student, admin, external/, row: (n) => `p${n},p${n}@example.org,Ada,Byron,pupil,1` },
  { column: 'campus_id', words: /no campus "99999"/, row: (n) => `p${n},p${n}@example.org,Ada,Byron,student,99999` },
  {
    column: null,
    words: /has 7 cells .* names 6 columns/,
    row: (n) => `p${n},p${n}@example.org,Ada,Byron,student,1,x`,
  },
  { column: 'first_name', words: /can't be blank/, row: (n) => `p${n},p${n}@example.org,"  ",Byron,student,1` },
  {
    column: 'first_name',
    words: /control characters/,
    row: (n) => `p${n},p${n}@example.org,"A\u0007",Byron,student,1`,
  },
]

/** So many people, one in a hundred with a fault, of fewer than a thousand one in ten; and the faults by their lines. */
function faultyPeople(rows: number) {
  const every = rows < 1_000 ? 10 : 100
  const planted = new Map<number, Planted>()
  const lines = Array.from({ length: rows }, (_, n) => {
    if (n % every !== every - 1) return `p${n},p${n}@example.org,Ada,Byron,student,1`
    const fault = PLANTED[planted.size % PLANTED.length] as Planted
    planted.set(n + 2, fault)
    return fault.row(n)
  })
  return { lines, planted }
}

describe('rows of a table', () => {
  it('become the records that the API would make of them', async () => {
    const report = await importOf('users', table(`${NAMES},campus_id,correction_point`, person(',1,7')))
    assert.deepEqual([report.created, report.faulty, report.isKept], [1, 0, true])
    const login = `im${people}`
    const rows = await world.database.rows(
      `select u.first_name, u.correction_point, cu.campus_id, cu.is_primary, h.sum, h.total, h.reason, a.kind, a.command
       from users u join campus_users cu on cu.user_id = u.id join correction_point_historics h on h.user_data_id = u.id
       join audit_events a on a.subject_id = u.id where login = $1`,
      [login],
    )
    assert.deepEqual(rows, [['Ada', '7', '1', 't', '7', '7', 'Creation', 'account_created', 'import']])
  })

  it('name other records by id, slug, login, name or the key under which they were imported', async () => {
    const [campusRow] = await world.database.rows('select slug from campus where id = 1')
    const groups = await importOf('groups', table('Nr,name', 'G7,Choir'), {
      key: 'Nr',
      mapping: { columns: { Nr: null, name: 'name' } },
    })
    assert.equal(groups.created, 1)
    await importOf('users', table(`${NAMES},campus`, person(`,${campusRow?.[0]}`)))
    const login = `im${people}`
    const by = (way: string) => ({
      columns: { Who: { field: 'user_id', by: 'login' }, Group: { field: 'group_id', by: way } },
    })
    assert.equal((await importOf('groups_users', table('Who,Group', `${login},G7`), { mapping: by('key') })).created, 1)
    const named = await importOf('groups_users', table('Who,Group', `${login},Chor`), { mapping: by('name') })
    assert.deepEqual(shown(named), ['2 Group: must exist: there is no group of this name "Chor"'])
    const rows = await world.database.rows(
      `select g.name, cu.campus_id from users u join campus_users cu on cu.user_id = u.id
       join groups_users gu on gu.user_id = u.id join groups g on g.id = gu.group_id where login = $1`,
      [login],
    )
    assert.deepEqual(rows, [['Choir', '1']])
  })

  it('are said to be wrong by line and column, each of them, and none comes in', async () => {
    const { lines, planted } = faultyPeople(Number(process.env.CAMPUS_TEST_IMPORT_ROWS ?? 300))
    const content = table(`${NAMES},campus_id`, ...lines)
    const before = await countOf('users')
    const report = await importOf('users', content)
    assert.deepEqual([report.rows, report.faulty, report.isKept], [lines.length, planted.size, false])
    assert.deepEqual(
      report.faults.map(({ line }) => line),
      [...planted.keys()],
    )
    for (const { line, column, fault } of report.faults) {
      const { column: wrong, words } = planted.get(line) as Planted
      assert.equal(column, wrong, `line ${line}: ${fault}`)
      assert.match(fault, words, `line ${line}`)
    }
    assert.equal(await countOf('users'), before)

    const good = await importOf('users', content, { takesGoodRows: true, key: 'login' })
    assert.deepEqual([good.created, good.faulty], [lines.length - planted.size, planted.size])
    assert.equal(await countOf('users'), before + lines.length - planted.size)
  })

  it('are refused by the database one by one, whatever stands beside them', async () => {
    const group = await world.build.record('groups', { name: 'Club' })
    const ids = [await someone(), await someone(), await someone(), await someone(), await someone(), await someone()]
    await world.build.record('groups_users', { user_id: ids[4], group_id: group })
    const lines = ids.map((id) => `${id},${group}`)
    const report = await importOf('groups_users', table('user_id,group_id', ...lines))
    assert.deepEqual([report.faulty, report.faults.map(({ line }) => line)], [1, [6]])
    assert.match(report.faults[0]?.fault ?? '', /has already been taken/)
  })
})

describe('a file', () => {
  const two = () => [NAMES, person(), person()]
  const cases: Readonly<Record<string, () => string | Buffer>> = {
    'a mark of its encoding': () => `\u{feff}${table(...two())}`,
    'line ends of Windows': () => table(...two()).replaceAll('\n', '\r\n'),
    'no line end at its end': () => table(...two()).trimEnd(),
    'blank lines': () => table(...two()).replaceAll('\n', '\n\n'),
    semicolons: () => table(...two()).replaceAll(',', ';'),
    tabs: () => table(...two()).replaceAll(',', '\t'),
    'quotes, and line ends in them': () =>
      table(NAMES, person().replace('Ada', '"Ada ""Grace"""').replace('Byron', '"By,\uD83D\uDE00ron"'), person()),
    'UTF-16': () => Buffer.from(`\u{feff}${table(...two())}`, 'utf16le'),
  }
  for (const [name, content] of Object.entries(cases)) {
    it(`may have ${name}`, async () => {
      const report = await importOf('users', content())
      assert.deepEqual([report.created, shown(report)], [2, []])
    })
  }

  it('is read in the encoding that is said, and in no other', async () => {
    const latin = Buffer.from(table(NAMES, person().replace('Ada', 'Zo\u00eb')), 'latin1')
    await assert.rejects(importOf('users', latin), /Line 2 is not utf-8\. .*--encoding windows-1252/)
    assert.equal((await importOf('users', latin, { encoding: 'windows-1252' })).created, 1)
    const [row] = await world.database.rows('select first_name from users where login = $1', [`im${people}`])
    assert.equal(row?.[0], 'Zo\u00eb')
    await assert.rejects(importOf('users', latin, { encoding: 'klingon' }), /There is no encoding klingon/)
  })

  it('says by its lines where a row of several lines begins', async () => {
    const report = await importOf(
      'users',
      table(NAMES, person().replace('Ada', '"A\nd\na"'), person().replace('student', 'pupil')),
    )
    assert.deepEqual(
      report.faults.map(({ line, column }) => [line, column]),
      [
        [2, 'first_name'],
        [5, 'kind'],
      ],
    )
  })

  it('is refused as a whole where no row of it could be right', async () => {
    const refusals: readonly (readonly [string | Buffer, RegExp])[] = [
      ['', /The file is empty/],
      ['\n\n', /The file is empty/],
      [table('login,email', 'a,a@example.org'), /No column of the file is first_name, last_name, kind/],
      [table(`${NAMES},kind`, person(',student')), /names "kind" twice/],
      [table(`${NAMES},`, person(',x')), /Column 6 has no name/],
      [table(`${NAMES},emial`, person(',x')), /"emial" \(did you mean "email"\?\).*--dry-run/],
      [
        table(NAMES, person().replace('Ada', '"Ada'), person()),
        /Line 2 begins a row with a quote that is never closed/,
      ],
      [table(NAMES, person().replace('Ada', 'A"d"a')), /Line 2 has a quote in the middle of a cell/],
      [table(NAMES, person().replace('Ada', 'x'.repeat(2_000_000))), /Line 2 is longer than/],
      ['PK\u0003\u0004\u0014', /workbook of a spreadsheet/],
    ]
    const before = await countOf('users')
    for (const [content, words] of refusals) await assert.rejects(importOf('users', content), words)
    await assert.rejects(importOf('usres', table(NAMES)), /Did you mean "users"\?/)
    assert.equal(await countOf('users'), before)
  })

  it('that lacks a column which every record needs is told by a trial with the mapping that is proposed, before any row', async () => {
    const text = table('Login,Mail', 'a,a@example.org')
    const report = await importOf('users', text, { isTrial: true })
    assert.deepEqual(report.unfilled, ['first_name', 'last_name', 'kind'])
    assert.deepEqual(report.mapping, { columns: { Login: 'login', Mail: 'email' } })
    assert.deepEqual([report.rows, report.isKept], [0, false])
    const whole = await importOf('users', text, {
      isTrial: true,
      mapping: {
        columns: { Login: 'login', Mail: 'email' },
        constants: { first_name: 'Ada', last_name: 'Byron', kind: 'student' },
      },
    })
    assert.deepEqual([whole.unfilled, whole.rows, shown(whole)], [[], 1, []])
  })

  it('may have a cell a thousand times too large, which is a fault of its own', async () => {
    const report = await importOf('users', table(NAMES, person().replace('Ada', 'x'.repeat(255_000)), person()))
    assert.deepEqual(shown(report), ['2 first_name: is too long (maximum is 255 characters)'])
  })

  it('of NDJSON is read line by line', async () => {
    const line = (more: object) => {
      people += 1
      return JSON.stringify({
        login: `im${people}`,
        email: `im${people}@example.org`,
        first_name: 'A',
        last_name: 'B',
        kind: 'student',
        ...more,
      })
    }
    const good = await importOf(
      'users',
      table(line({ campus_users_attributes: [{ campus_id: 1, is_primary: true }] })),
      { ending: 'ndjson' },
    )
    assert.deepEqual([good.created, shown(good)], [1, []])
    const bad = await importOf('users', table(line({}), '{"login"', '[1]', line({ kind: 5 })), { ending: 'ndjson' })
    assert.deepEqual(
      bad.faults.map(({ line, column }) => [line, column]),
      [
        [2, null],
        [3, null],
        [4, 'kind'],
      ],
    )
  })
})

describe('the command', () => {
  const refused = async (...words: readonly string[]) => {
    const data = join(folder.path, 'never-made')
    let message = ''
    const program = await campusProgram({ env: { CAMPUS_DATA: data }, parts: PARTS })
    await program.parseAsync(words, { from: 'user' }).catch((error: Error) => {
      message = error.message
    })
    assert.equal(existsSync(data), false, message)
    return message
  }

  it('says in a sentence that a file cannot be read or made, before it opens a database', async () => {
    const [here, away] = [folder.path, join(folder.path, 'away/people.csv')]
    const file = await fileOf(table(NAMES, person()))
    assert.equal(await refused('import', 'users', away), `There is no file ${away}.`)
    assert.equal(await refused('import', 'users', here), `${here} is a folder, not a file.`)
    assert.equal(await refused('import', 'users', file, '--mapping', away), `There is no file ${away}.`)
    assert.equal(await refused('export', 'users', away), `There is no folder ${join(here, 'away')}.`)
    assert.equal(await refused('export', 'users', here), `${here} is a folder: name a file in it.`)
    assert.match(await refused('export', 'users', join(here, 'people.xlsx')), /--format csv or --format ndjson/)
  })

  it('shows every fault, and ten of those that many rows share', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => person().replace('student', n === 20 ? 'director' : 'pupil'))
    const text = table(NAMES, ...rows.with(25, person().replace('Ada', '')))
    const shown = await describeResult(IMPORT, await importOf('users', text))
    assert.equal(shown.match(/is not included/g)?.length, 11)
    assert.match(shown, /^19 more +kind +is not included/m)
    assert.match(shown, /^27 +first_name +can't be blank/m)
    const trial = await describeResult(IMPORT, await importOf('users', table('login', 'a'), { isTrial: true }))
    assert.match(trial, /"login": "login".*No row was tried: every record needs email, first_name, last_name, kind,/s)
  })
})

describe('a second import', () => {
  it('changes what has changed, and makes nothing twice', async () => {
    const [one, other] = [person(), person()]
    const content = table(`Nr,${NAMES}`, `A,${one}`, `B,${other}`)
    const mapping = {
      columns: { login: 'login', email: 'email', first_name: 'first_name', last_name: 'last_name', kind: 'kind' },
    }
    const again = (text: string) => importOf('users', text, { key: 'Nr', mapping })
    const counts = async (text: string) => {
      const { created, updated, unchanged } = await again(text)
      return [created, updated, unchanged]
    }
    assert.deepEqual(await counts(content), [2, 0, 0])
    const stamp = () => world.database.rows("select max(updated_at) from users where login like 'im%'")
    const before = await stamp()
    assert.deepEqual(await counts(content), [0, 0, 2])
    assert.deepEqual(await stamp(), before)
    assert.deepEqual(await counts(content.replace('Byron', 'King')), [0, 1, 1])
    assert.deepEqual(await counts(`${content.replace('Byron', 'King')}C,${person()}\n`), [1, 0, 2])
  })

  it('moves whom it moves to another campus, and nobody else', async () => {
    const other = await world.build.campus({ name: 'Other', slug: 'other' })
    const [one, two] = [person(), person()]
    const importing = (first: number) =>
      importOf('users', table(`${NAMES},campus_id`, `${one},${first}`, `${two},1`), { key: 'login' })
    assert.equal((await importing(1)).created, 2)
    const { updated, unchanged } = await importing(other)
    assert.deepEqual([updated, unchanged], [1, 1])
    const rows = await world.database.rows(
      `select m.campus_id from campus_users m join users u on u.id = m.user_id
       where u.login = any($1) and m.is_primary order by u.login`,
      [[one, two].map((line) => line.split(',')[0])],
    )
    assert.deepEqual(rows.map(([id]) => Number(id)).sort(), [1, other].sort())
  })

  it('tells in one statement which of many rows change nothing', async () => {
    const statementsFor = async (lines: readonly string[]) => {
      const file = await fileOf(table(`${NAMES},campus_id,correction_point`, ...lines))
      const options = {
        resource: 'users',
        file,
        key: 'login',
        takes: 'all or nothing',
        caller: operator('import'),
      } as const
      assert.equal((await importFile(engine, options)).created, lines.length)
      let statements = 0
      const database: Engine['database'] = {
        ...engine.database,
        transaction: (work) =>
          world.database.transaction((tx) => {
            const rows: typeof tx.rows = (text, values) => {
              statements += 1
              return tx.rows(text, values)
            }
            return work(Object.assign(Object.create(tx), { rows }))
          }),
      }
      assert.equal((await importFile({ ...engine, database }, options)).unchanged, lines.length)
      return statements
    }
    const few = await statementsFor([person(',1,7')])
    assert.ok(few > 0)
    assert.equal(await statementsFor(Array.from({ length: 40 }, () => person(',1,7'))), few)
  })

  it('goes on where the first one, of good rows, was interrupted', async () => {
    const ROWS = 8_000 // Six pieces of the file, of which some are read ahead.
    const lines = Array.from({ length: ROWS }, () => person())
    const path = await fileOf(table(NAMES, ...lines))
    const start = (options: object) =>
      importFile(engine, {
        resource: 'users',
        file: path,
        key: 'login',
        caller: operator('import'),
        takes: 'good rows',
        ...options,
      })
    const before = await countOf('users')
    let chunks = 0
    const onBytes = () => {
      chunks += 1
      if (chunks > 5) throw new Error('interrupted')
    }
    await assert.rejects(start({ takes: 'all or nothing', onBytes }), /interrupted/)
    assert.equal(await countOf('users'), before)
    chunks = 0
    await assert.rejects(start({ onBytes }), /interrupted/)
    const done = (await countOf('users')) - before
    assert.ok(done > 0 && done < ROWS, `${done} were imported`)
    const { created, unchanged } = await start({})
    assert.deepEqual([created, unchanged], [ROWS - done, done])
    assert.equal((await countOf('users')) - before, ROWS)
  })

  it('needs keys that are no others’', async () => {
    const report = await importOf('users', table(`Nr,${NAMES}`, `X,${person()}`, `X,${person()}`, `,${person()}`), {
      key: 'Nr',
      mapping: {
        columns: {
          Nr: null,
          login: 'login',
          email: 'email',
          first_name: 'first_name',
          last_name: 'last_name',
          kind: 'kind',
        },
      },
    })
    assert.deepEqual(shown(report), [
      '3 Nr: is that of line 2, too',
      "4 Nr: can't be blank: it is the key by which the record is known again",
    ])
    await assert.rejects(importOf('users', table(NAMES, person()), { takesGoodRows: true }), /good rows need a key/)
    await assert.rejects(importOf('users', table(NAMES, person()), { key: 'Nr' }), /The file has no column "Nr"/)
  })

  it('of what was exported changes nothing', async () => {
    await importOf(
      'cursus_users',
      table('user_id,cursus_id,level', `${await someone()},${await world.build.cursus()},3.5`),
    )
    await importOf(
      'locations',
      table('user_id,campus_id,host,begin_at', `${await someone()},1,=r1,2026-01-02 03:04:05 UTC`),
    )
    for (const resource of ['users', 'campus_users', 'cursus_users', 'locations', 'groups', 'groups_users', 'campus']) {
      for (const format of ['csv', 'ndjson'] as const) {
        const file = join(folder.path, `${resource}.${format}`)
        const { records } = await exportForCommand(dependencies(), { resource, format, query: '', file }, () => {})
        assert.ok(records > 0, resource)
        const report = await importForCommand(dependencies(), { resource, file, ...PLAIN, hasOwnIds: true }, () => {})
        assert.deepEqual([report.unchanged, shown(report)], [records, []], `${resource}.${format}`)
      }
    }
  })
})

it('what an export shows in the place of something hidden is left as it is by an import', async () => {
  const hidden = await world.build.user({ phone: '+33 1 42 42 42 42', phone_hidden: true })
  const shown = await world.build.user({ phone: '+33 6 42 42 42 42' })
  for (const format of ['csv', 'ndjson'] as const) {
    const file = join(folder.path, `hidden.${format}`)
    const query = `filter[id]=${hidden},${shown}`
    await exportForCommand(dependencies(), { resource: 'users', format, query, file }, () => {})
    const text = await readFile(file, 'utf8')
    assert.match(text, /hidden/)
    await writeFile(file, text.replaceAll('+33 6', '+33 7'))
    const report = await importForCommand(
      dependencies(),
      { resource: 'users', file, ...PLAIN, hasOwnIds: true },
      () => {},
    )
    assert.deepEqual(report.faults, [])
    assert.deepEqual(await world.database.rows(`select phone, phone_hidden from users where id = ${hidden}`), [
      ['+33 1 42 42 42 42', 't'],
    ])
  }
  assert.deepEqual(await world.database.rows(`select phone from users where id = ${shown}`), [['+33 7 42 42 42 42']])
})

describe('a trial', () => {
  it('proposes a mapping by the names of the columns, tries the rows and keeps nothing', async () => {
    const before = await countOf('users')
    const content = table(
      'Login,E-Mail,First Name,Last name,Kind,Campus,Shoe size',
      person(',1,38').replace('student', 'pupil'),
    )
    const report = await importOf('users', content.replace('E-Mail', 'Emial'), { isTrial: true })
    assert.deepEqual(report.mapping.columns, {
      Login: 'login',
      Emial: 'email',
      'First Name': 'first_name',
      'Last name': 'last_name',
      Kind: 'kind',
      Campus: 'campus_id',
      'Shoe size': null,
    })
    assert.deepEqual([shown(report).length, report.faults[0]?.column, report.isKept], [1, 'Kind', false])
    const right = await importOf('users', content.replace('E-Mail', 'Emial'), {
      mapping: {
        ...report.mapping,
        columns: { ...report.mapping.columns, Kind: { field: 'kind', values: { pupil: 'student' } } },
      },
      isTrial: true,
    })
    assert.deepEqual([right.created, shown(right), right.isKept], [1, [], false])
    assert.equal(await countOf('users'), before)
  })

  it('refuses a mapping that says what cannot be', async () => {
    const tries: readonly (readonly [unknown, RegExp])[] = [
      [{ columns: { login: 'lgoin' } }, /Did you mean "login"\?/],
      [{ columns: { login: 'login', email: 'login' } }, /fills login twice/],
      [{ columns: { login: { field: 'login', by: 'slug' } } }, /login is the id of no other record/],
      [{ columns: { login: { field: 'campus_id', by: 'colour' } } }, /campus_id goes by id, /],
      [{ columns: { nothing: 'login' } }, /The file has no column "nothing"; it has "login"/],
      [{ columns: [] }, /A mapping needs columns/],
      [{ fields: {} }, /A mapping has columns and constants, and no fields/],
    ]
    for (const [mapping, words] of tries)
      await assert.rejects(importOf('users', table(NAMES, person()), { mapping: mapping as object }), words)
  })
})

describe('imported marks', () => {
  it('raise levels, with as many statements a row for many rows as for few', async () => {
    const cursus = await world.build.cursus()
    for (const [lvl, xp] of [0, 100, 1000, 10_000].entries())
      await world.build.record('levels', { cursus_id: cursus, lvl, xp })
    const projects: number[] = []
    for (let at = 0; at < 40; at += 1) {
      const project = await world.build.record('projects', {
        name: `Marked ${at}`,
        slug: `marked-${at}`,
        difficulty: 50,
      })
      await world.build.record('projects_cursus', { project_id: project, cursus_id: cursus })
      await world.build.record('project_sessions', { project_id: project })
      projects.push(project)
    }
    const counter = workCounter(world.database)
    const importMarks = async (count: number, mark: number) => {
      const user = await someone()
      await world.build.record('cursus_users', { user_id: user, cursus_id: cursus })
      const lines = projects.slice(0, count).map((project) => `${user},${project},${mark},true,finished`)
      const file = table('user_id,project_id,final_mark,validated?,status', ...lines)
      const work = await counter.count(async () =>
        assert.deepEqual((await importOf('projects_users', file)).faults, []),
      )
      const [[level] = []] = await world.database.rows('select level from cursus_users where user_id = $1', [user])
      return { level: Number(level), statements: work.statements.length }
    }
    try {
      await importMarks(1, 100)
      const [few, many] = [await importMarks(10, 100), await importMarks(40, 100)]
      assert.deepEqual([few.level, many.level], [1.44, 2.11])
      assert.ok(many.statements <= 4 * few.statements, `${few.statements} and ${many.statements} statements`)
    } finally {
      counter.stop()
    }
  })
})

describe('the campuses', () => {
  it('are told of imported people as of others, unless the import says not to', async () => {
    await world.database.rows(
      "insert into endpoints (url, description, active) values ('https://localhost:1/', 'import', true)",
    )
    await world.database.rows('update campus set endpoint_id = (select max(id) from endpoints) where id = 1')
    // Creations that a running service would report to campuses.
    const created = async () =>
      Number(
        (
          await world.database.rows(
            "select count(*) from change_log where relation = 'users' and operation = 'create' and carried is not null",
          )
        )[0]?.[0],
      )
    await importOf('users', table(`${NAMES},campus_id`, person(',1')), { sendsWebhooks: false })
    assert.equal(await created(), 0)
    await importOf('users', table(`${NAMES},campus_id`, person(',1')))
    assert.equal(await created(), 1)
  })
})

describe('an export', () => {
  it('is there only when it is whole', async () => {
    const file = join(folder.path, 'students.csv')
    const query = 'filter[kind]=student&sort=login'
    const { records } = await exportForCommand(
      dependencies(),
      { resource: 'users', format: 'csv', query, file },
      () => {},
    )
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
    assert.equal(lines.length, records + 1)
    const values = { resource: 'users', format: 'csv', query: 'filter[nothing]=1', file: `${file}2` } as const
    await assert.rejects(
      exportForCommand(dependencies(), values, () => {}),
      /doesn't exists/,
    )
    await assert.rejects(readFile(`${file}2`), /ENOENT/)
  })
})

it('times without a zone are in the zone of --time-zone, or in CAMPUS_TIME_ZONE', async () => {
  const user_id = await world.build.user()
  const campus_id = await world.build.campus()
  const configs = {
    UTC: '10:00:00',
    'Europe/Paris': '09:00:00',
    'Asia/Kolkata': '04:30:00',
    'Asia/Calcutta': '04:30:00',
  }
  const readBegin = async (host: string) =>
    (await world.database.rows('select begin_at::text, end_at::text from locations where host = $1', [host])).flat()
  for (const [at, [zone, shown]] of Object.entries(configs).entries())
    for (const timeZone of [undefined, zone]) {
      const host = `z${at}r1s${timeZone === undefined ? 1 : 2}`
      const file = await fileOf(
        `user_id,campus_id,host,begin_at,end_at\n${user_id},${campus_id},${host},2026-03-02 10:00,2026-03-02T11:00:00+01:00\n`,
      )
      const config = { ...world.config, timeZone: timeZone === undefined ? zone : 'America/New_York' }
      const values = { resource: 'locations', file, timeZone, ...PLAIN }
      const { created } = await importForCommand({ ...dependencies(), config }, values, () => {})
      assert.equal(created, 1)
      assert.deepEqual(await readBegin(host), [`2026-03-02 ${shown}+00`, '2026-03-02 10:00:00+00'], zone)
    }
  const constants = {
    columns: { user: 'user_id', host: 'host' },
    constants: { campus_id, begin_at: '2026-03-02 10:00' },
  }
  await importOf('locations', `user,host\n${user_id},z9r1s1\n`, { mapping: constants, timeZone: 'Europe/Paris' })
  assert.deepEqual((await readBegin('z9r1s1')).at(0), '2026-03-02 09:00:00+00')
})

it('a row with fewer cells than the first line has empty cells at its end, and the result counts such rows', async () => {
  const { created, short } = await importOf(
    'clusters',
    `name,campus_id,cdn_link\nShort,${await world.build.campus()}\n`,
  )
  assert.deepEqual([created, short], [1, 1])
})
