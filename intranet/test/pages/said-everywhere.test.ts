import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { punctuated } from '@campus/engine/rest/declare/fields/field'
import { words } from '@campus/engine/rest/openapi/names'
import { campus, type World } from '@campus/test/support/campus'
import { FRENCH } from '@campus/test/support/languages'
import { markLanguage, unmarkedTexts } from '@campus/test/support/marked-language'
import { PAGES } from '@campus/test/support/mounted-pages'
import { DIGEST, PASSWORD } from '@campus/test/support/people'
import { csrfTokenIn, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { SCOPES } from '../../access/scopes.ts'
import { createApplication } from '../../oauth/applications/create.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const IN_FRENCH = { 'accept-language': 'fr' }

/** Words of the API that stand for themselves, as the pages of records have them. */
const API_WORDS = resources(new Sealer(Buffer.alloc(32))).flatMap(
  ({ name, singular, fields, index, payload, representations }) => {
    const { customFilters = {}, search = {} } = index
    const { extra = {}, links = {} } = payload ?? {}
    const shown = [name, singular].flatMap((one) => [one, words(one), punctuated(words(one)).slice(0, -1)])
    return [
      ...shown,
      ...[fields, customFilters, search, extra, links, representations].flatMap((one) => Object.keys(one ?? {})),
    ]
  },
)

/** Words without a language: names of the service and its formats, and words of the API. */
const NAMES = new Set(['Campus Intranet', 'Webhook-Id', 'UTC', hostname(), ...Object.keys(SCOPES), ...API_WORDS])

/** Links that lead to no page. */
const ELSEWHERE = /^\/(?:apidoc|v2|assets|language|\.well-known)\b/

/** Limit for pages that differ only by an id. */
const MAX_OF_A_KIND = 2

it('puts no colon between two values outside a message, since French has a space before it', async () => {
  const folder = new URL('../../pages/', import.meta.url)
  const names = await readdir(folder, { recursive: true })
  // The reference speaks of the API in English.
  const files = names.filter((name) => name.endsWith('.ts') && !name.startsWith('reference/'))
  assert.ok(files.length > 100)
  for (const file of files)
    for (const line of (await readFile(new URL(file, folder), 'utf8')).split('\n'))
      assert.doesNotMatch(line, /(?:\}|<\/\w+>): (?:\$\{|<\w)/, file)
})

describe('Every text of every page', () => {
  let world: World
  /** Every text that the database held when it was last read. */
  let data: ReadonlySet<string> = new Set()
  before(async () => {
    await markLanguage(FRENCH)
    world = await campus({ seeded: true })
  })
  after(() => world.close())

  /** Somebody of the school who has most to see, signed in. */
  async function signedIn(isStaff: boolean): Promise<Visitor> {
    const [row] = await world.database.rows(
      `select u.id, u.login from users u where (u.kind = 'admin') = $1 and u.closed_at is null
       order by (select count(*) from projects_users p where p.user_id = u.id)
         + (select count(*) from slots s where s.user_id = u.id) desc, u.id limit 1`,
      [isStaff],
    )
    const [id, login] = [Number(row?.[0]), String(row?.[1])]
    await world.database.rows('update users set password_digest = $1 where id = $2', [DIGEST, id])
    const by = { ownerId: id, actor: { userId: id }, now: world.clock.now() }
    await world.database.transaction((tx) =>
      createApplication(tx, { values: { name: `Program of ${login}`, scopes: ['public'] }, ...by }),
    )
    const visitor = visitorOf(world)
    await visitor.signIn(login, PASSWORD)
    return visitor
  }

  for (const who of ['nobody', 'a student', 'staff'] as const) {
    it(`is said in the language of the reader, be it ${who}, and also what a form refuses`, async () => {
      const visitor = who === 'nobody' ? visitorOf(world) : await signedIn(who === 'staff')
      const pages = await crawl(visitor)
      const paths = [...pages.keys()]
      assert.ok(paths.length > (who === 'nobody' ? 3 : 10), paths.join(' '))
      for (const [path, text] of pages) assertPassesNoPageTwice(path, text)
      await assertNone(paths, async (path) => pages.get(path) as string)
      // Last of all, since some forms need nothing to be filled in.
      await assertNone(
        paths.filter((path) => PAGES.some((page) => page.method === 'POST' && isAt(page.path, path))),
        async (path) => {
          const page = await visitor.get(path, IN_FRENCH)
          if (!page.text.includes('csrf_token')) return ''
          return (await visitor.post(path, { csrf_token: csrfTokenIn(page) }, IN_FRENCH)).text
        },
      )
    })
  }

  async function assertNone(paths: readonly string[], textAt: (path: string) => Promise<string>): Promise<void> {
    const found: { readonly path: string; readonly text: string }[] = []
    for (const path of paths) found.push(...unmarkedTexts(await textAt(path)).map((text) => ({ path, text })))
    const unsaid = () => found.filter(({ text }) => isUnknown(text)).map(({ path, text }) => `${path}: ${text}`)
    if (unsaid().length > 0) data = await dataOf(world)
    assert.deepEqual(unsaid(), [])
  }

  const isUnknown = (text: string) =>
    !isData(text) &&
    text.split(/⟦⟧|[·,;:()“”\n]/).some((part) => ![part.trim(), part.trim().replace(/^\d+ /, '')].some(isData))

  const isData = (text: string) =>
    !/\p{L}/u.test(text.replace(DAYS, '')) || data.has(text) || NAMES.has(text) || text.length === 1
})

/** Checks that the breadcrumb of a page has no link twice. */
function assertPassesNoPageTwice(path: string, text: string): void {
  const [, crumbs = ''] = /<nav class="crumbs"(.*?)<\/nav>/s.exec(text) ?? []
  const links = [...crumbs.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
  assert.deepEqual([...new Set(links)], links, path)
}

/** All that pages link to, a few of each kind, and all that need no id: what each says. */
async function crawl(visitor: Visitor): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, number>()
  const pages = new Map<string, string>()
  const open = PAGES.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(({ path }) => path)
  open.push('/there-is-no-such-page')
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const kind = kindOf(path)
    const times = found.get(kind) ?? 0
    if (times >= MAX_OF_A_KIND || pages.has(path)) continue
    found.set(kind, times + 1)
    const { text } = await visitor.get(path, IN_FRENCH)
    pages.set(path, text)
    const links = [...text.matchAll(/href="(\/[^"#]*)["#]/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
    open.push(...links.filter((link) => !ELSEWHERE.test(link)))
  }
  return pages
}

/** The page that it is, and what is asked of it. */
const kindOf = (path: string) => {
  const [place = '', query = ''] = path.split('?')
  const page = PAGES.find((one) => one.path === place) ?? PAGES.find((one) => isAt(one.path, place))
  return `${page?.path ?? place}?${[...new URLSearchParams(query).keys()].join('&')}`
}

const isAt = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path.split('?', 1)[0] as string)

/** Every text that the database holds by now, and the names of people as pages write them. */
async function dataOf({ database }: World): Promise<ReadonlySet<string>> {
  const columns = await database.rows(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'character varying', 'ARRAY', 'jsonb')`,
  )
  const reads = columns.map(([table, column]) => `select "${column}"::text from "${table}"`)
  reads.push("select coalesce(usual_first_name, first_name) || ' ' || last_name from users")
  const texts = new Set<string>()
  for (const [text] of await database.rows(reads.join(' union '))) {
    texts.add(String(text).trim())
    for (const one of String(text).split(/[{}",]+/)) texts.add(one.trim())
    // Markdown is shown line by line without its marks.
    for (const one of String(text).split(/[\n*_`#>]+/)) texts.add(one.trim())
  }
  return texts
}

/** Dates outside a `time` element: names of days, and names of months beside a number. */
const DAYS = new RegExp(
  Array.from(
    { length: 12 },
    (_, at) => [new Date(Date.UTC(2026, at, 1)), new Date(Date.UTC(2026, 0, 1 + (at % 7)))] as const,
  )
    .flatMap(([month, day]) =>
      (['short', 'long'] as const).flatMap((long) => {
        const monthName = new Intl.DateTimeFormat('fr-FR', { month: long, timeZone: 'UTC' }).format(month)
        const dayName = new Intl.DateTimeFormat('fr-FR', { weekday: long, timeZone: 'UTC' }).format(day)
        const [ofMonth, ofDay] = [monthName, dayName].map((name) => name.replace('.', '\\.'))
        return [`(?<=\\d )${ofMonth}(?!\\p{L})|^${ofMonth}(?= \\d{4})|^${ofDay}(?!\\p{L})`]
      }),
    )
    .join('|'),
  'gu',
)
