import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Library, library } from '../support/library.ts'

describe('a list', () => {
  let lib: Library
  const books: Record<string, number> = {}
  const subjects: Record<string, number> = {}
  const authors: Record<string, number> = {}
  let ada: number

  before(async () => {
    lib = await library()
    for (const name of ['Calvino', 'Émile Zola', 'Lem']) authors[name] = await lib.add('authors', { name })
    for (const slug of ['cities', 'space']) subjects[slug] = await lib.add('subjects', { name: slug, slug })
    const rows: readonly (readonly [string, string, string, number | null, string | null])[] = [
      ['Invisible Cities', 'Calvino', 'novel', 165, '1972-11-03'],
      ['Solaris', 'Lem', 'novel', 204, '1961-01-01'],
      ['Summa, Technologiae', 'Lem', 'essay', 448, '1964-06-30'],
      ['Atlas of Cities', 'Calvino', 'atlas', null, null],
      ['étoiles', 'Émile Zola', 'novel', 204, '1961-01-02'],
    ]
    for (const [title, author, kind, pages, published_on] of rows)
      books[title] = await lib.add('books', {
        title,
        isbn: title.slice(0, 13),
        kind,
        pages,
        published_on,
        author_id: authors[author],
      })
    for (const [title, slug] of [
      ['Invisible Cities', 'cities'],
      ['Atlas of Cities', 'cities'],
      ['Solaris', 'space'],
    ] as const)
      await lib.database.rows('insert into books_subjects (book_id, subject_id) values ($1, $2)', [
        books[title],
        subjects[slug],
      ])
    ada = await lib.add('readers', { login: 'ada', name: 'Ada' })
    for (const [title, begin_at, end_at] of [
      ['Solaris', '2026-01-10T09:00:00Z', '2026-01-20T09:00:00Z'],
      ['Solaris', '2026-02-10T09:00:00Z', null],
      ['étoiles', '2026-04-01T09:00:00Z', null],
    ] as const)
      await lib.add('loans', { book_id: books[title], reader_id: ada, begin_at, end_at })
  })
  after(() => lib.close())

  const ask = async (query: string, path = '/v2/books') => {
    const answer = await lib.visitor.get(`${path}?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return { ...answer, total: answer.headers.get('x-total') }
  }
  const titles = async (query: string, path?: string) =>
    (await ask(query, path)).json.map(({ title }: { title: string }) => title)

  it('has the newest first, unless the resource or the request says otherwise', async () => {
    assert.deepEqual(await titles(''), [
      'étoiles',
      'Atlas of Cities',
      'Summa, Technologiae',
      'Solaris',
      'Invisible Cities',
    ])
    assert.deepEqual(await titles('sort=title'), [
      'Atlas of Cities',
      'Invisible Cities',
      'Solaris',
      'Summa, Technologiae',
      'étoiles',
    ])
    const begins = (await ask('', '/v2/loans')).json.map(({ begin_at }: { begin_at: string }) => begin_at.slice(0, 7))
    assert.deepEqual(begins, ['2026-04', '2026-02', '2026-01'])
  })

  it('sorts by several fields in turn, and orders ties by its default sort', async () => {
    assert.deepEqual(await titles('sort=kind,-pages,title'), [
      'Atlas of Cities',
      'Summa, Technologiae',
      'Solaris',
      'étoiles',
      'Invisible Cities',
    ])
    assert.deepEqual(await titles('sort=-pages&filter[pages]=204'), ['étoiles', 'Solaris'])
    assert.deepEqual(await titles('sort=pages&filter[pages]=204'), ['Solaris', 'étoiles'])
  })

  it('filters by values of each kind, all of several filters, and null for an empty value', async () => {
    for (const [query, expected] of [
      ['filter[title]=Solaris,étoiles', ['étoiles', 'Solaris']],
      ['filter[title][]=Summa, Technologiae', ['Summa, Technologiae']],
      ['filter[kind]=essay,atlas', ['Atlas of Cities', 'Summa, Technologiae']],
      ['filter[pages]=204', ['étoiles', 'Solaris']],
      ['filter[pages]=', ['Atlas of Cities']],
      ['filter[published_on]=1961-01-01', ['Solaris']],
      ['filter[lendable]=false', []],
      [`filter[author_id]=${authors.Lem}&filter[kind]=novel`, ['Solaris']],
      [`filter[subject_id]=${subjects.cities}`, ['Atlas of Cities', 'Invisible Cities']],
      ['filter[id]=99999999999999999999', []],
    ] as const) {
      const found = await ask(query)
      assert.deepEqual(
        [found.json.map(({ title }: { title: string }) => title), found.total],
        [expected, String(expected.length)],
        query,
      )
    }
  })

  it('filters by conditions on times, as they are at the time of the request', async () => {
    const found = async (query: string) =>
      (await ask(query, '/v2/loans')).json.map(({ begin_at }: { begin_at: string }) => begin_at.slice(0, 7))
    assert.deepEqual(await found('filter[active]=true'), ['2026-02'])
    assert.deepEqual(await found('filter[active]=false'), ['2026-04', '2026-01'])
    assert.deepEqual(await found('filter[future]=true'), ['2026-04'])
    assert.deepEqual(await found('filter[returned]=true'), ['2026-01'])
    lib.clock.set('2026-04-02T00:00:00Z')
    assert.deepEqual(await found('filter[active]=true'), ['2026-04', '2026-02'])
    lib.clock.set('2026-03-02T10:00:00Z')
  })

  it('ranges with both ends, with one, and with the whole of the last day', async () => {
    for (const [query, path, expected] of [
      ['range[pages]=165,204', '/v2/books', 3],
      ['range[pages]=205,', '/v2/books', 1],
      ['range[pages]=,165', '/v2/books', 1],
      ['range[title]=A,Solaris', '/v2/books', 3],
      ['range[published_on]=1961-01-02,1964-06-30', '/v2/books', 2],
      ['range[begin_at]=2026-01-10,2026-02-10', '/v2/loans', 2],
      ['range[begin_at]=2026-01-10T09:00:00.001Z,2026-02-10', '/v2/loans', 1],
    ] as const) {
      const { json, total } = await ask(query, path)
      assert.deepEqual([json.length, total], [expected, String(expected)], query)
    }
  })

  it('searches words in any capitals and accents', async () => {
    assert.deepEqual(await titles('search[title]=CITIES'), ['Atlas of Cities', 'Invisible Cities'])
    assert.deepEqual(await titles('search[title]=etoiles'), ['étoiles'])
    assert.deepEqual(await titles('search[title]=of cit'), ['Atlas of Cities'])
  })

  it('comes in pages that together have every record once, and counts all of them', async () => {
    const seen: string[] = []
    for (let page = 1; page <= 3; page += 1) {
      const { json, headers, total } = await ask(`sort=kind&per_page=2&page=${page}`)
      assert.deepEqual([total, headers.get('x-page'), headers.get('x-per-page')], ['5', String(page), '2'])
      seen.push(...json.map(({ title }: { title: string }) => title))
    }
    assert.deepEqual(seen.toSorted(), Object.keys(books).toSorted())
    const { json, total, headers } = await ask('page[number]=9&page[size]=2')
    assert.deepEqual([json, total], [[], '5'])
    assert.match(headers.get('link') ?? '', /page=1.*rel="first"/)
    assert.equal((await ask('per_page=101')).headers.get('x-per-page'), '100')
  })

  it('below a parent has the records of the parent alone', async () => {
    assert.deepEqual(await titles('', `/v2/authors/${authors.Lem}/books`), ['Summa, Technologiae', 'Solaris'])
    assert.deepEqual(await titles('filter[kind]=novel', '/v2/subjects/cities/books'), ['Invisible Cities'])
    assert.equal((await ask('', '/v2/readers/ada/loans')).total, '3')
    assert.equal((await lib.visitor.get('/v2/subjects/nothing/books')).status, 404)
    const own = await lib.caller({ reader: ada }).get('/v2/me/loans')
    assert.deepEqual([own.status, own.json.length], [200, 3])
  })

  it('counts records by day, exactly and from the stored counts', async () => {
    const { json } = await ask('', '/v2/loans/graph/on/begin_at/by/month')
    assert.deepEqual(
      Object.values(json).reduce((sum: number, count) => sum + Number(count), 0),
      3,
    )
    assert.equal((await ask(`filter[book_id]=${books.Solaris}`, '/v2/loans')).total, '2')
    assert.equal((await ask(`filter[book_id]=${books.Solaris}&filter[returned]=false`, '/v2/loans')).total, '1')
  })

  it('refuses what it does not know or cannot read, and names the nearest', async () => {
    for (const [query, error, message] of [
      ['filter[titel]=x', 'Filter Error', /Did you mean "title"\?/],
      ['filter[pages]=many', 'Bad Request', /pages/],
      ['filter[kind]=poem', 'Bad Request', /kind/],
      ['range[pagse]=1,2', 'Range Error', /Did you mean "pages"\?/],
      ['range[pages]=1', 'Bad Request', /pages/],
      ['sort=titel', 'Sort Error', /Did you mean "title"\?/],
      ['search[isbn]=1', 'Search Error', /title/],
      ['page=0', undefined, /page/],
    ] as const) {
      const { status, json } = await lib.visitor.get(`/v2/books?${query}`)
      assert.equal(status, 400, query)
      if (error) assert.equal(json.error, error)
      assert.match(json.message, message)
    }
    const unknown = await lib.visitor.get('/v2/books?titel=x')
    assert.deepEqual([unknown.status, unknown.headers.get('x-unknown-parameters')], [200, 'titel'])
  })

  it('tells nobody by filters, ranges or sorts what a field hides', async () => {
    const secret = await lib.add('books', { title: 'Secret', isbn: 's1', author_id: authors.Lem, notes: 'stolen' })
    const shown = await lib.add('books', {
      title: 'Open',
      isbn: 's2',
      author_id: authors.Lem,
      notes: 'stolen',
      public_notes: true,
    })
    const ids = async (client: typeof lib.visitor, query: string) =>
      (await client.get(`/v2/books?${query}`)).json.map(({ id }: { id: number }) => id)
    assert.deepEqual(await ids(lib.visitor, 'filter[notes]=stolen'), [shown])
    assert.deepEqual(await ids(lib.visitor, 'range[notes]=s,t'), [shown])
    assert.deepEqual(await ids(lib.librarian, 'filter[notes]=stolen'), [shown, secret])
    await lib.database.rows('delete from books where id = any($1::int[])', [[secret, shown]])
  })
})
