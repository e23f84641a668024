import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '@campus/test/support/folder'
import { knownMigrations, type Migrations, migrationLoaders, script, servesFormer } from '../../database/migrations.ts'
import { currentMigrations, newestMigration } from '../../database/squashed-migrations.ts'

describe('migrations of a folder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let library: Migrations
  before(async () => {
    folder = await temporaryFolder()
    for (const name of ['0020_contract_loans.ts', '0003_loans.ts', '0001_books.ts', 'README.md', '4_draft.ts'])
      await writeFile(`${folder.path}/${name}`, `export const up = async (db) => db('${name}')\n`)
    library = { folder: pathToFileURL(`${folder.path}/`), lastUnphased: '0001_books' }
  })
  after(() => folder.remove())

  it('are known by their numbers, in order', async () => {
    assert.deepEqual(await knownMigrations(library), ['0001_books', '0003_loans', '0020_contract_loans'])
    assert.equal(await newestMigration(library), '0020_contract_loans')
  })

  it('are loaded from it', async () => {
    const ran: unknown[] = []
    const { up } = (await (await migrationLoaders(library)).get('0003_loans')?.()) ?? {}
    await up?.(((name: string) => ran.push(name)) as never)
    assert.deepEqual(ran, ['0003_loans.ts'])
  })

  it('are joined by those that are given by name, in one order', async () => {
    const modules = { '0002_readers': script('create table readers (id integer)') }
    assert.deepEqual(await knownMigrations({ ...library, modules }), [
      '0001_books',
      '0002_readers',
      '0003_loans',
      '0020_contract_loans',
    ])
    await assert.rejects(knownMigrations({ modules: { readers: script('') } }), /^Error: A migration is called readers/)
  })

  it('serve former releases beside them unless they come before phases, or contract', () => {
    assert.deepEqual(
      ['0001_books', '0003_loans', '0020_contract_loans'].map((name) => servesFormer(library, name)),
      [false, true, false],
    )
  })

  it('that a database has seen stay as they are without a baseline', async () => {
    const seen = ['0000_older', '0001_books']
    assert.equal(await currentMigrations(library, seen), seen)
  })

  it('are older than those that their baseline replaced', async () => {
    const squashed = { last: '0900_shelves', lastOfBaseline: '0001_books', digest: '', lastCommit: 'abc' }
    assert.equal(await newestMigration({ ...library, squashed }), '0900_shelves')
    await assert.rejects(currentMigrations({ ...library, squashed }, ['0800_shelves']), /commit abc first/)
  })
})
