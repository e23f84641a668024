import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../database/database.ts'
import { open } from '../../rest/declare/access.ts'
import { joinTable, onward, through } from '../../rest/declare/association.ts'
import { readCatalogue } from '../../rest/declare/catalogue.ts'
import { checkAssociations } from '../../rest/declare/check-associations.ts'
import { type Declaration, embeddedOnly } from '../../rest/declare/declaration.ts'
import { integer, reference } from '../../rest/declare/fields/columns.ts'
import { countOf, idsOf } from '../../rest/declare/fields/computed.ts'
import { many, one } from '../../rest/declare/fields/embeds.ts'
import type { Field } from '../../rest/declare/fields/field.ts'
import { whenRelated } from '../../rest/declare/filters.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { resource, under } from '../../rest/declare/resource.ts'
import { Shapes } from '../../rest/json-api/shapes.ts'
import { routeTable } from '../../rest/route-table.ts'
import { ACCESS } from '../support/library.ts'
import { libraryDatabase } from '../support/reading-engine.ts'

/** Books and subjects of the library, in fewer words, with what is to be tried. */
const BOOKS = {
  name: 'books',
  singular: 'book',
  summary: 'A book.',
  index: { sort: ['id'], defaultSort: ['id'] },
} as const
const booksSubjects = joinTable('books_subjects', { books: 'book_id', subjects: 'subject_id' })
const authors = resource({
  ...BOOKS,
  name: 'authors',
  singular: 'author',
  fields: { id: integer() },
  actions: embeddedOnly,
})
const subjects = resource({
  ...BOOKS,
  name: 'subjects',
  singular: 'subject',
  fields: {
    id: integer(),
    books: many('books', 'record', { through: booksSubjects }),
    book_ids: idsOf('books', { through: booksSubjects }),
  },
  index: { ...BOOKS.index, customFilters: { book_id: whenRelated(through(booksSubjects, 'books')) } },
  parents: [under('books', { through: booksSubjects })],
  actions: { index: open, show: open },
})

type More = Partial<Declaration<Record<string, Field>>>

const booksWith = ({ fields, ...more }: More) =>
  resource<Record<string, Field>>({
    ...BOOKS,
    ...more,
    fields: { id: integer(), author_id: reference('authors', { nullable: true }), ...fields },
    actions: { index: open, show: open },
  })

describe('an association that is declared once', () => {
  const books = booksWith({
    fields: {
      subjects: many('subjects', 'record', { through: booksSubjects }),
      subjects_count: countOf(booksSubjects),
    },
    payload: { accepts: [], links: { subject_ids: booksSubjects } },
    parents: [under('subjects', { through: booksSubjects }), under('authors')],
  })
  const registry = new Registry([books, subjects, authors], ACCESS)

  it('makes the nested routes of both sides', () => {
    const paths = routeTable(registry).map(({ path }) => path)
    assert.ok(paths.includes('/v2/books/:book_id/subjects'))
    assert.ok(paths.includes('/v2/subjects/:subject_id/books'))
    assert.ok(paths.includes('/v2/authors/:author_id/books'))
  })

  it('makes relationships of JSON:API that can be written and lead to the nested list', () => {
    const shapes = new Shapes(registry)
    const members = shapes.of(books, 'record').members
    const shown = members.find(({ name }) => name === 'subjects')
    assert.ok(shown?.kind === 'toMany')
    assert.equal(shown.related, '/v2/books/:id/subjects')
    assert.deepEqual(shapes.writablesOf(books).get('subjects'), {
      payload: 'subject_ids',
      target: 'subjects',
      isList: true,
    })
  })

  it('takes the null of a record from the column that refers to it', () => {
    const refers = (nullable: boolean) => {
      const fields = { author: one('authors', 'record'), author_id: reference('authors', { nullable }) }
      return booksWith({ fields }).fields.author?.schema(() => ({ type: 'object' }))
    }
    assert.deepEqual([refers(false), refers(true)], [{ type: 'object' }, { type: ['object', 'null'] }])
  })
})

describe('an association that names what does not exist', () => {
  let database: Database
  before(async () => {
    database = await libraryDatabase()
  })
  after(() => database.close())

  const start = async (more: More) =>
    checkAssociations(await readCatalogue(database), new Registry([booksWith(more), subjects, authors], ACCESS))

  it('stops the start where a column or a table is missing', async () => {
    await start({})
    const wrong = (keys: { books: string; subjects: string }, table = 'books_subjects') => joinTable(table, keys)
    const right = { books: 'book_id', subjects: 'subject_id' }
    const cases: readonly (readonly [More, RegExp])[] = [
      [
        { fields: { subjects: many('subjects', 'record', { through: wrong({ ...right, subjects: 'sbj_id' }) }) } },
        /^Error: books\.subjects: the database has no column books_subjects\.sbj_id$/,
      ],
      [
        { parents: [under('subjects', { through: wrong(right, 'books_sbjs') })] },
        /^Error: books under subjects: the database has no column books_sbjs\.book_id$/,
      ],
      [
        { fields: { subjects: many('subjects', 'record') } },
        /^Error: books\.subjects: the database has no column subjects\.book_id$/,
      ],
      [
        {
          index: {
            ...BOOKS.index,
            customFilters: { subject: whenRelated({ ...through(booksSubjects, 'subjects'), only: 'is_first' }) },
          },
        },
        /^Error: books filtered by subject: the database has no column books_subjects\.is_first$/,
      ],
      [
        { payload: { accepts: [], nested: { subjects_attributes: { resource: 'subjects', by: 'place_id' } } } },
        /^Error: books\.subjects_attributes: the database has no column subjects\.place_id$/,
      ],
      [
        { parents: [under('subjects', { by: 'owner' })] },
        /^Error: books under subjects: the database has no column books\.owner$/,
      ],
    ]
    for (const [more, message] of cases) await assert.rejects(start(more), message)
  })

  it('stops the start where a resource is missing', async () => {
    const joined = joinTable('books_subjects', { books: 'book_id', people: 'subject_id' })
    await assert.rejects(
      start({ fields: { people: many('people', 'record', { through: joined }) } }),
      /^Error: books\.people: no resource is called people$/,
    )
    await assert.rejects(
      start({ payload: { accepts: [], links: { people_ids: joined } } }),
      /^Error: books\.people_ids: no resource is called people$/,
    )
  })

  it('is refused where it is declared', () => {
    const groups = joinTable('groups_subjects', { groups: 'group_id', subjects: 'subject_id' })
    const cases: readonly (readonly [() => unknown, RegExp])[] = [
      [
        () => booksWith({ parents: [under('subjects')] }),
        /^Error: books lies under subjects, but has no column that refers to it$/,
      ],
      [
        () => booksWith({ fields: { other_id: reference('authors') }, parents: [under('authors')] }),
        /^Error: books refers to authors by author_id and other_id: say which it is$/,
      ],
      [
        () => booksWith({ fields: { subject: one('subjects', 'record') } }),
        /^Error: books\.subject shows one of subjects, but no column subject_id of books refers to subjects$/,
      ],
      [
        () => booksWith({ payload: { accepts: [], links: { group_ids: groups } } }),
        /^Error: groups_subjects joins .*, not books$/,
      ],
      [
        () => booksWith({ fields: { count: countOf(groups) } }),
        /^Error: books\.count counts groups_subjects, which does not join books$/,
      ],
      [
        () => onward(through(booksSubjects, 'subjects'), through(groups, 'groups')),
        /^Error: books_subjects leads to subject_id, and groups_subjects goes on from id$/,
      ],
    ]
    for (const [declare, message] of cases) assert.throws(declare, message)
  })
})
