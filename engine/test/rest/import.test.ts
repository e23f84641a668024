import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import type { Caller } from '../../http/caller.ts'
import { type ImportOptions, importFile } from '../../rest/import/import-file.ts'
import { type Library, library } from '../support/library.ts'

const CALLER: Caller = {
  application: {
    id: 0,
    uid: 'import',
    name: 'Import',
    roles: ['Librarian', 'Director'],
    ratePerSecond: 0,
    ratePerHour: 0,
  },
  scopes: ['catalogue'],
  resourceOwnerId: null,
}

describe('the rows of a file', () => {
  let lib: Library
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let files = 0

  before(async () => {
    lib = await library()
    folder = await temporaryFolder()
    await lib.add('authors', { name: 'Lem' })
  })
  after(async () => {
    await lib.close()
    await folder.remove()
  })

  async function importOf(content: string, options: Partial<ImportOptions> = {}) {
    files += 1
    const file = join(folder.path, `${files}.${options.format ?? 'csv'}`)
    await writeFile(file, content)
    return importFile(lib.engine, { resource: 'books', file, takes: 'all or nothing', caller: CALLER, ...options })
  }
  const book = async (isbn: string) => (await lib.librarian.get(`/v2/books?filter[isbn]=${isbn}`)).json[0]

  it('become the records that the API would make of them', async () => {
    const report = await importOf('title,isbn,kind,pages,published_on,author_id\nSolaris,i1,novel,204,1961-01-01,1\n')
    assert.deepEqual([report.created, report.faulty, report.isKept], [1, 0, true])
    const { title, kind, pages, published_on, author } = await book('i1')
    assert.deepEqual([title, kind, pages, published_on, author.name], ['Solaris', 'novel', 204, '1961-01-01', 'Lem'])
  })

  it('in NDJSON may have parts and lists of ids', async () => {
    const subject = await lib.add('subjects', { name: 'Space', slug: 'space' })
    const line = { title: 'Eden', isbn: 'i2', author_id: 1, subject_ids: [subject] }
    const report = await importOf(`${JSON.stringify(line)}\n`, { format: 'ndjson' })
    assert.deepEqual(report.faults, [])
    assert.deepEqual(
      (await book('i2')).subjects.map(({ slug }: { slug: string }) => slug),
      ['space'],
    )
  })

  it('with a key change the record of the key, or nothing if nothing differs', async () => {
    const rows = (title: string) => `ref,title,isbn,author_id\nb-3,${title},i3,1\n`
    const options = { key: 'ref' }
    assert.equal((await importOf(rows('Fiasko'), options)).created, 1)
    assert.equal((await importOf(rows('Fiasko'), options)).unchanged, 1)
    assert.equal((await importOf(rows('Fiasco'), options)).updated, 1)
    assert.equal((await book('i3')).title, 'Fiasco')
  })

  it('are all refused for one fault, which is told by line and column', async () => {
    const lines = [
      'title,isbn,pages,author_id',
      'Good,i4,1,1',
      'Bad,i5,many,1',
      ',i6,1,1',
      'Orphan,i7,1,999',
      'Twice,i1,1,1',
    ]
    const report = await importOf(`${lines.join('\n')}\n`)
    assert.deepEqual([report.isKept, report.faulty], [false, 4])
    assert.deepEqual(report.faults.map(({ line, column }) => `${line} ${column}`).toSorted(), [
      '3 pages',
      '4 title',
      '5 author_id',
      '6 isbn',
    ])
    assert.equal(await book('i4'), undefined)
    const partly = await importOf(`${lines.join('\n')}\n`, { takes: 'good rows', key: 'isbn' })
    assert.deepEqual([partly.isKept, partly.created, partly.faulty], [true, 1, 4])
    assert.equal((await book('i4')).title, 'Good')
  })

  it('are tried and rolled back', async () => {
    const report = await importOf('title,isbn,author_id\nTrial,i8,1\n', { isTrial: true })
    assert.deepEqual([report.created, report.isKept], [1, false])
    assert.equal(await book('i8'), undefined)
  })

  it('that another list exported are understood', async () => {
    const { text } = await lib.librarian.get('/v2/authors', { accept: 'text/csv' })
    const report = await importOf(text, { resource: 'authors', hasOwnIds: true })
    assert.deepEqual([report.faults, report.created, report.updated], [[], 0, 0])
  })
})
