import { type Client, clientOf } from '@campus/test/support/client'
import { addressFrom } from '@campus/test/support/databases'
import { freePort } from '@campus/test/support/free-port'
import { type ResponseValidator, responseValidator } from '@campus/test/support/openapi'
import { type TestClock, testClock } from '@campus/test/support/test-clock'
import type { FastifyInstance } from 'fastify'
import { Agent } from 'undici'
import * as api from '../../index.ts'

const catalogue = api.scope('catalogue', 'reads the catalogue')
const desk = api.scope('desk', "acts at the reader's own desk")
const librarian = api.role('Librarian', ['Librarian', 'Director'])
const director = api.role('Director')
const READ_BY_ALL = api.permit({ read: api.open, write: librarian })
/** Notes on a book are for librarians, and for all once the book is public. */
const NOTES_ARE_SECRET = { hides: api.sql`(not ${api.column('public_notes')})`, except: librarian }

export const ACCESS = {
  scopes: [catalogue.scope, desk.scope],
  defaultScope: catalogue,
  chosenIds: director,
  wholeLists: librarian,
}

export const booksSubjects = api.joinTable('books_subjects', { books: 'book_id', subjects: 'subject_id' })

export const subjects = api.resource({
  name: 'subjects',
  summary: 'A subject that books are about.',
  identifiedBy: 'slug',
  cachedInMemory: true,
  fields: { id: api.integer(), name: api.text({ max: 100, required: true }), slug: api.slug() },
  payload: { slugFrom: 'name' },
  actions: READ_BY_ALL,
})

export const authors = api.resource({
  name: 'authors',
  summary: 'A person who wrote books.',
  fields: {
    id: api.integer(),
    name: api.text({ max: 100, required: true }),
    born_on: api.date({ nullable: true }),
    books: api.many('books', 'short'),
    ...api.timestamps(),
  },
  representations: { short: ['id', 'name'] },
  index: { search: { name: ['name'] } },
  actions: READ_BY_ALL,
})

export const books = api.resource({
  name: 'books',
  summary: 'A book that readers can borrow.',
  fields: {
    id: api.integer(),
    title: api.text({ max: 200, required: true }),
    isbn: api.text({ max: 13, required: true }),
    kind: api.choice(['novel', 'essay', 'atlas']),
    pages: api.integer({ min: 1, max: 10_000, nullable: true }),
    weight: api.float({ nullable: true }),
    lendable: api.boolean(),
    published_on: api.date({ nullable: true }),
    author_id: api.reference('authors', { required: true }),
    author: api.one('authors', 'short', { deferred: true }),
    subjects: api.many('subjects', 'record', { through: booksSubjects }),
    chapters: api.many('chapters', 'in_book', { order: 'position' }),
    loans_count: api.countOf(api.joinTable('loans', { books: 'book_id', readers: 'reader_id' })),
    notes: api.guarded(NOTES_ARE_SECRET, api.text({ nullable: true })),
    public_notes: api.boolean({ hidden: true }),
    ...api.timestamps(),
  },
  representations: { short: ['id', 'title'] },
  index: {
    customFilters: {
      subject_id: api.described('about one of these subjects', api.whenRelated(api.through(booksSubjects, 'subjects'))),
    },
    search: { title: ['title'] },
  },
  parents: [api.under('authors', { actions: ['index', 'create'] }), api.under('subjects', { through: booksSubjects })],
  payload: {
    nested: { chapters_attributes: { resource: 'chapters' } },
    links: { subject_ids: booksSubjects },
  },
  dependents: { deleted: ['chapters.book_id', 'books_subjects.book_id'] },
  actions: { ...READ_BY_ALL, bulk: { name: 'multiple_create', access: librarian } },
})

export const chapters = api.resource({
  name: 'chapters',
  summary: 'A chapter of a book.',
  fields: {
    id: api.integer(),
    title: api.text({ max: 200, required: true }),
    position: api.integer({ min: 1, required: true }),
    book_id: api.reference('books', { hidden: true, required: true }),
  },
  representations: { in_book: ['id', 'title', 'position'] },
  payload: {},
  actions: api.embeddedOnly,
})

export const readers = api.resource({
  name: 'readers',
  summary: 'A person who borrows books.',
  identifiedBy: 'login',
  fields: { id: api.integer(), login: api.slug({ required: true }), name: api.text({ max: 100, nullable: true }) },
  actions: READ_BY_ALL,
})

export const loans = api.resource({
  name: 'loans',
  summary: 'A reader has, or had, a book at home.',
  large: true,
  recordsRows: true,
  aggregates: { groups: [['book_id', 'end_at?']], times: ['begin_at', 'end_at'] },
  fields: {
    id: api.integer(),
    begin_at: api.time(),
    end_at: api.time({ nullable: true }),
    book_id: api.reference('books', { required: true }),
    reader_id: api.reference('readers', { required: true }),
    reader: api.one('readers', 'record'),
    updated_at: api.time({ hidden: true }),
  },
  index: {
    defaultSort: ['-begin_at', '-id'],
    customFilters: {
      active: api.whenCurrent('begin_at', 'end_at'),
      returned: api.whenSet('end_at'),
      future: api.whenFuture('begin_at'),
    },
  },
  graph: { fields: ['begin_at', 'end_at'], default: 'begin_at' },
  parents: [
    api.under('books', { actions: ['index', 'graph', 'create'] }),
    api.under('readers', { actions: ['index'], me: true }),
  ],
  payload: {
    beginsNow: ['begin_at'],
    checks: { loans_end_at_check: ['end_at', api.message('must not be before {field}', { field: 'begin_at' })] },
  },
  lockedAfter: ['book_id'],
  events: { return: api.becomesSet('end_at', 'The reader has brought the book back.') },
  actions: api.permit({ read: api.open, write: api.either(librarian, api.all(desk, api.own('reader_id'))) }),
})

export const RESOURCES = [subjects, authors, books, chapters, readers, loans]

const ID = 'id integer generated by default as identity primary key'
const TIMES = 'created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()'

export const MIGRATIONS = {
  modules: {
    '0010_library': api.script(`
      create table subjects (${ID}, name text not null, slug text not null unique);
      create table authors (${ID}, name text not null unique, born_on date, ${TIMES});
      create table books (${ID}, title text not null, isbn text not null unique, kind text not null default 'novel',
        pages integer, weight double precision, lendable boolean not null default true, published_on date,
        author_id integer not null references authors, notes text, public_notes boolean not null default false, ${TIMES});
      create index on books (author_id);
      create table books_subjects (${ID}, book_id integer not null references books on delete cascade,
        subject_id integer not null references subjects, unique (book_id, subject_id));
      create index on books_subjects (subject_id);
      create table chapters (${ID}, title text not null, position integer not null,
        book_id integer not null references books on delete cascade,
        unique (book_id, position));
      create table readers (${ID}, login text not null unique, name text);
      create table loans (${ID}, begin_at timestamptz(3) not null, end_at timestamptz(3),
        book_id integer not null references books, reader_id integer not null references readers,
        updated_at timestamptz(3) not null default now(),
        constraint loans_end_at_check check (end_at >= begin_at));`),
  },
}

const METRICS_TOKEN = 'metrics-token'

type CallerOptions = {
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
  /** Id of the reader for whom the application acts. */
  readonly reader?: number
}

/** A library that is served, and those who call it. */
export type Library = {
  readonly app: FastifyInstance
  readonly engine: api.Api['engine']
  readonly database: api.Database
  readonly table: api.Api['table']
  /** The API for pages of the same process. */
  readonly api: api.Api['api']
  readonly clock: TestClock
  readonly url: string
  readonly agent: Agent
  readonly anonymous: Client
  /** Reads the metrics. */
  readonly prometheus: Client
  /** Reads the catalogue. */
  readonly visitor: Client
  readonly librarian: Client
  /** May choose ids besides. */
  readonly director: Client
  caller(options: CallerOptions): Client
  /** Revokes the token of a client. */
  revoke(client: Client): void
  /** Inserts a row, and returns its id. */
  add(table: string, values: Readonly<Record<string, unknown>>): Promise<number>
  close(): Promise<void>
}

type LibraryOptions = {
  readonly now?: string
  /** `RESOURCES` by default. */
  readonly resources?: readonly api.Resource[]
  /** 0 disables the cache of responses. */
  readonly cacheBytes?: number
  /** Does not hold responses against the OpenAPI document. */
  readonly isUnchecked?: boolean
}

/** The address of a database with the tables of a library, gone when it is closed. */
export const libraryAddress = () => addressFrom('library', migrated)

/** Serves a library of its own on a free port of the loopback interface. */
export async function library(options: LibraryOptions = {}): Promise<Library> {
  const { now = '2026-03-02T10:00:00.000Z', resources = RESOURCES, isUnchecked = false, cacheBytes } = options
  const place = await libraryAddress()
  const clock = testClock(new Date(now))
  const callers = new Map<string, api.Caller>()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const {
    app,
    engine,
    database,
    table,
    api: inProcess,
  } = await create({
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
    databaseUrl: place.url,
    baseUrl: url,
    clock,
    resources,
    findCaller: async (token) => callers.get(token) ?? 'invalid',
  })
  const agent = new Agent()
  await app.listen({ port, host: 'localhost' })
  const validate: ResponseValidator | undefined = isUnchecked
    ? undefined
    : responseValidator((await clientOf({ url, agent }).get('/v2/openapi.json')).json)

  function caller({ roles = [], scopes = [catalogue.scope], reader }: CallerOptions): Client {
    const id = callers.size + 1
    const token = `token-${id}`
    callers.set(token, {
      application: { id, uid: `app-${id}`, name: `Caller ${id}`, roles, ratePerSecond: 1e6, ratePerHour: 1e6 },
      scopes,
      resourceOwnerId: reader ?? null,
    })
    return clientOf({ url, agent, validate }, token)
  }

  return {
    app,
    engine,
    database,
    table,
    api: inProcess,
    clock,
    url,
    agent,
    anonymous: clientOf({ url, agent, validate }),
    prometheus: clientOf({ url, agent, validate }, METRICS_TOKEN),
    visitor: caller({}),
    librarian: caller({ roles: ['Librarian'] }),
    director: caller({ roles: ['Director'] }),
    caller,
    revoke: ({ token = '' }) => void callers.delete(token),
    async add(table, values) {
      const names = Object.keys(values)
      const [[id] = []] = await database.rows(
        `insert into ${table} (${names.join(', ')}) values (${names.map((_, place) => `$${place + 1}`).join(', ')}) returning *`,
        Object.values(values),
      )
      return Number(id)
    },
    async close() {
      await agent.close()
      await app.close()
      await place.close()
    },
  }
}

type Given = Pick<Parameters<typeof api.createApi>[0], 'databaseUrl' | 'baseUrl' | 'resources' | 'findCaller'> &
  Partial<Parameters<typeof api.createApi>[0]>

const create = (given: Given) =>
  api.createApi({
    info: {
      title: 'Library',
      summary: 'Books and their readers.',
      version: '1.0',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    access: ACCESS,
    migrations: MIGRATIONS,
    secretKey: Buffer.alloc(32, 7),
    metricsToken: METRICS_TOKEN,
    logLevel: process.env.CAMPUS_TEST_LOG ?? 'silent',
    ...given,
  })

/** Makes the template that libraries are copied from. */
async function migrated(databaseUrl: string): Promise<void> {
  const { app } = await create({
    databaseUrl,
    baseUrl: 'http://localhost',
    resources: RESOURCES,
    findCaller: async () => 'invalid',
  })
  await app.close()
}
