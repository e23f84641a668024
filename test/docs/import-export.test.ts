import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { builderOf } from '../support/row-builder.ts'
import { outcomeOf } from '../support/run-campus.ts'
import { commandsUnder, shellIn, type Type } from './typing.ts'

const PAGE = 'import-export.md'
const NEAR_NAMES = `First name;Last name;Email;Kind
Ada;Byron;ada@example.org;student
`
const OTHER_NAMES = `Matricule;First name;Last name;Mail;Status;Campus;Shoe size
7001;Ada;Byron;ada@example.org;pupil;lyon;38
7002;Grace;Hopper;grace@example.org;teacher;lyon;
`

describe('docs/import-export.md, followed to the letter', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let shell: string
  let type: Type
  before(async () => {
    database = await testDatabase()
    await builderOf(database).campus({ name: 'Lyon', slug: 'lyon' })
    folder = await temporaryFolder()
    shell = join(folder.path, 'shell')
    type = await shellIn(shell)
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  const typed = (line: string) => outcomeOf(type(line, { CAMPUS_DATA: folder.path, DATABASE_URL: database.url }))
  const people = () =>
    database.rows(
      `select first_name, last_name, email, kind, pool_year, campus_id is not null
       from users u left join campus_users cu on cu.user_id = u.id order by u.id`,
    )

  it('In: a mapping is proposed, and what it maps comes in', async () => {
    const [trial = '', real = '', ...more] = await commandsUnder(PAGE, 'In')
    assert.deepEqual(more, [])
    await writeFile(join(shell, 'people.csv'), NEAR_NAMES)
    const proposed = await typed(trial)
    assert.match(proposed.stdout, /"First name": "first_name"/, proposed.stderr)
    assert.deepEqual(await people(), [])
    await writeFile(join(shell, 'people.csv'), OTHER_NAMES)
    const [, mapping = ''] = /```json\n(.*?)```/s.exec(await readFile(`docs/${PAGE}`, 'utf8')) ?? []
    await writeFile(join(shell, 'people.json'), mapping)
    const { code, stderr } = await typed(real)
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(await people(), [
      ['Ada', 'Byron', 'ada@example.org', 'student', '2026', 't'],
      ['Grace', 'Hopper', 'grace@example.org', 'admin', '2026', 't'],
    ])
  })

  it('Out: each file has what it is asked for', async () => {
    const lines = await commandsUnder(PAGE, 'Out')
    assert.equal(lines.length, 3)
    for (const line of lines) {
      const { code, stderr } = await typed(line)
      assert.deepEqual([code, stderr], [0, ''], line)
    }
    const text = (name: string) => readFile(join(shell, name))
    assert.match(String(await text('people.csv')), /^id,.*\r\n.*grace@example\.org.*\r\n.*ada@example\.org.*\r\n$/)
    const students = String(await text('students.ndjson'))
      .trim()
      .split('\n')
    assert.deepEqual(
      students.map((line) => JSON.parse(line).email),
      ['ada@example.org'],
    )
    assert.match(gunzipSync(await text('locations.csv.gz')).toString(), /\bend_at\b/)
  })
})
