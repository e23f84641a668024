import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { importFile } from '@campus/engine/rest/import/import-file'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { exportForCommand } from '../../cli/export-command.ts'
import { importForCommand } from '../../cli/import-command.ts'
import { openEngine, operator } from '../../cli/open-engine.ts'
import { readConfig } from '../../settings/config.ts'
import { createSealing } from '../../webhooks/sealing.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: TestDatabase
let other: TestDatabase
let build: Builder

before(async () => {
  folder = await temporaryFolder()
  ;[database, other] = await Promise.all([testDatabase(), testDatabase()])
  build = builderOf(database)
})
after(async () => {
  await Promise.all([database.close(), other.close()])
  await folder.remove()
})

const dependenciesOf = (one: TestDatabase) => ({
  database: one,
  config: readConfig({ CAMPUS_DATA: folder.path }),
  sealing: async () => createSealing(undefined),
})
const PLAIN = { hasOwnIds: true, takesGoodRows: false, isTrial: false, sendsWebhooks: false } as const

/** Imports rows with a mapping of each column, including `id`, to the field of its name. */
async function importWithIds(resource: string, lines: readonly string[]) {
  const names = lines[0]?.split(',') ?? []
  const columns = Object.fromEntries(names.map((name) => [name, name]))
  const mappingFile = join(folder.path, 'mapping.json')
  await writeFile(mappingFile, JSON.stringify({ columns }))
  return importOf(resource, lines, { hasOwnIds: false, mappingFile })
}

async function importOf(resource: string, lines: readonly string[], values: object = {}) {
  const file = join(folder.path, 'rows.csv')
  await writeFile(file, `${lines.join('\n')}\n`)
  return importForCommand(dependenciesOf(database), { resource, file, ...PLAIN, ...values }, () => {})
}

const cursusIds = async (condition: string) =>
  (await database.rows(`select id from cursus where ${condition} order by id`)).map(([id]) => Number(id))
const lastId = async (table: string) =>
  Number((await database.rows(`select pg_sequence_last_value(pg_get_serial_sequence($1, 'id'))`, [table]))[0]?.[0])

describe('an import with own ids', () => {
  it('creates a record for each unknown id, and changes the record of each known id', async () => {
    const known = await build.cursus()
    const report = await importOf('cursus', [
      'id,name,kind',
      '21,42cursus,main',
      '9,C Piscine,piscine',
      `${known},Changed,main`,
    ])
    assert.deepEqual([report.created, report.updated, report.faults], [2, 1, []])
    assert.deepEqual(
      await cursusIds("name in ('42cursus', 'C Piscine', 'Changed')"),
      [known, 9, 21].sort((a, b) => a - b),
    )
    const again = await importOf('cursus', ['id,name,kind', '21,42cursus,main', '9,C Piscine,piscine'])
    assert.deepEqual([again.created, again.unchanged], [0, 2])
    assert.ok((await build.cursus()) > 21)
  })

  it('reports ids that cannot be used, in the order of the file', async () => {
    const before = await lastId('cursus')
    const report = await importOf('cursus', [
      'id,name,kind',
      ',Blank,main',
      '0,Zero,main',
      'four,Four,main',
      '1000000001,Far,main',
      '300,One,main',
      '300,Two,main',
    ])
    assert.deepEqual(
      report.faults.map(({ line, column }) => [line, column]),
      [
        [2, 'id'],
        [3, 'id'],
        [4, 'id'],
        [5, 'id'],
        [7, 'id'],
      ],
    )
    assert.deepEqual(await cursusIds('id in (300, 0, 1000000001)'), [])
    assert.ok((await lastId('cursus')) < before + 1_000)
  })

  it('reports on a trial what an import would do, and changes nothing', async () => {
    const report = await importOf('cursus', ['id,name,kind', '400,Trial,main'], { isTrial: true })
    assert.deepEqual([report.created, await cursusIds('id = 400')], [1, []])
  })

  it('imports the good rows if only good rows are wanted', async () => {
    const rows = ['id,name,kind', '501,Good,main', '502,Bad,nonsense', '503,Better,main']
    const report = await importOf('cursus', rows, { takesGoodRows: true })
    assert.deepEqual([report.created, report.faulty, await cursusIds('id in (501, 502, 503)')], [2, 1, [501, 503]])
  })
})

describe('a mapping of a column to id', () => {
  it('gives no row without an id the chosen id of another row', async () => {
    const last = await lastId('tags')
    const rows = Array.from(
      { length: 1_400 },
      (_, at) => `${at % 2 === 0 ? '' : last + 1 + ((at * 3) % 1_400)},own ${at},general`,
    )
    const report = await importWithIds('tags', ['id,name,kind', ...rows])
    assert.deepEqual([report.created, report.faults[0]], [1_400, undefined])
    for (const [at, row] of rows.entries()) {
      const [id] = row.split(',')
      if (!id) continue
      assert.deepEqual(await database.rows('select name from tags where id = $1', [Number(id)]), [[`own ${at}`]])
    }
  })

  it('keeps chosen ids apart for users, and for records that are written one by one', async () => {
    const last = await lastId('users')
    const campus = await build.campus()
    const people = Array.from({ length: 20 }, (_, at) =>
      [at % 2 === 0 ? '' : last + 21 - at, `own${at}`, `own${at}@example.org`, 'Ada', 'Byron', 'student', campus].join(
        ',',
      ),
    )
    const users = await importWithIds('users', ['id,login,email,first_name,last_name,kind,campus_id', ...people])
    assert.deepEqual([users.created, users.faults], [20, []])
    assert.deepEqual(await database.rows("select id from users where login = 'own5'"), [[String(last + 16)]])
    const user = await build.user()
    const first = (await lastId('transactions')) + 1
    const ledger = await importWithIds('transactions', [
      'id,user_id,value,transactable_type,reason',
      `,${user},1,User,drawn`,
      `${first},${user},2,User,chosen`,
    ])
    assert.deepEqual([ledger.created, ledger.faults], [2, []])
    assert.deepEqual(await database.rows(`select reason from transactions where id = ${first}`), [['chosen']])
  })

  async function mapped(lines: readonly string[], caller = operator('import'), key?: string) {
    const file = join(folder.path, 'mapped.csv')
    await writeFile(file, `${lines.join('\n')}\n`)
    return importFile(await openEngine(dependenciesOf(database)), {
      resource: 'cursus',
      file,
      takes: 'all or nothing',
      caller,
      ...(key !== undefined && { key }),
      mapping: {
        columns: { Number: { field: 'id' }, name: { field: 'name' }, kind: { field: 'kind' } },
        constants: {},
      },
    })
  }

  it('creates records with these ids, and refuses ids that are taken', async () => {
    assert.equal((await mapped(['Number,name,kind', ',Without,main', '601,With,main'])).created, 2)
    assert.deepEqual(await cursusIds("name = 'With'"), [601])
    const { faults } = await mapped(['Number,name,kind', '601,Again,main'])
    assert.deepEqual(
      faults.map(({ line, column }) => [line, column]),
      [[2, 'Number']],
    )
  })

  it('refuses the id of another record than the one that the key names', async () => {
    const rows = (id: string) => mapped(['Nr,Number,name,kind', `k1,${id},Keyed,main`], undefined, 'Nr')
    assert.equal((await rows('640')).created, 1)
    assert.deepEqual(
      [await rows('640'), await rows('')].map(({ unchanged }) => unchanged),
      [1, 1],
    )
    const { faults } = await rows('641')
    assert.deepEqual(
      faults.map(({ line, column }) => [line, column]),
      [[2, 'Number']],
    )
    assert.deepEqual(await cursusIds("name = 'Keyed'"), [640])
  })

  it('is refused to callers who may not choose ids', async () => {
    const caller = operator('import')
    const tutor = { ...caller, application: { ...caller.application, roles: ['Basic Staff', 'Advanced Tutor'] } }
    await assert.rejects(mapped(['Number,name,kind', '700,Refused,main'], tutor), /requires the role Advanced Staff/)
  })

  it('is not proposed, since every export has ids', async () => {
    const report = await importOf('cursus', ['id,name,kind', '800,Proposed,main'], { hasOwnIds: false, isTrial: true })
    assert.equal(report.mapping.columns?.id, null)
  })
})

it('an import with own ids copies an export to another school with the same ids', async () => {
  for (const resource of ['languages', 'cursus', 'campus', 'tags', 'users'] as const) {
    const file = join(folder.path, `${resource}.ndjson`)
    const query = 'sort=id'
    await exportForCommand(dependenciesOf(database), { resource, format: 'ndjson', query, file }, () => {})
    const report = await importForCommand(dependenciesOf(other), { resource, file, ...PLAIN }, () => {})
    assert.deepEqual(report.faults, [], resource)
    const all = `select id::text, to_jsonb(t) ->> 'name' from ${resource} t order by id`
    assert.deepEqual(await other.rows(all), await database.rows(all), resource)
  }
})
