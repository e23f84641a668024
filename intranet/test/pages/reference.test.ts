import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { KNOWN_ERRORS } from '@campus/reference/errors/known-errors'
import { yamlPieces } from '@campus/reference/yaml'
import { campus, type World } from '@campus/test/support/campus'
import { type Client, clientOf } from '@campus/test/support/client'
import { parse } from 'yaml'
import { declaredRegistry } from '../../school/resources/declared.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'

describe('the reference', () => {
  let world: World
  let reader: Client
  before(async () => {
    world = await campus()
    // Pages are no part of what the OpenAPI document describes.
    reader = clientOf({ url: world.url, agent: world.agent })
  })
  after(() => world.close())

  const pageAt = async (path: string) => {
    const { status, text, headers } = await reader.get(path)
    assert.equal(status, 200, path)
    assert.match(String(headers.get('content-type')), /^text\/html/)
    return text
  }

  test('shows every path of the document, with its access, without a token', async () => {
    const { json: document } = await reader.get('/v2/openapi.json')
    const pages = new Map<string, string>()
    for (const { name } of document.tags) pages.set(name, plain(await pageAt(`/apidoc/${name}`)))
    for (const [path, item] of Object.entries<Record<string, { tags: string[]; 'x-access': string }>>(document.paths)) {
      for (const { tags, 'x-access': access } of Object.values(item).filter((part) => part.tags)) {
        const text = pages.get(tags[0] as string) ?? ''
        assert.ok(text.includes(path), path)
        assert.ok(text.includes(access), `${path}: ${access}`)
      }
    }
  })

  test('leads nowhere in vain: every link within it and every anchor is there', async () => {
    const seen = new Map<string, string>()
    const left = ['/apidoc']
    while (left.length > 0) {
      const path = left.pop() as string
      if (seen.has(path)) continue
      const { status, text } = await reader.get(path)
      assert.equal(status, 200, path)
      seen.set(path, text)
      if (/openapi\.(json|yaml)$|\.md$/.test(path)) continue
      for (const [target] of linksIn(text, path)) if (target.startsWith('/apidoc')) left.push(target)
    }
    for (const [path, text] of seen) {
      for (const [target, anchor] of linksIn(text, path)) {
        if (anchor) assert.ok(seen.get(target)?.includes(`id="${anchor}"`), `${path} → ${target}#${anchor}`)
      }
    }
    assert.ok(seen.size > 60)
  })

  test('has nothing inline and nothing from elsewhere, and says so to the browser', async () => {
    const { headers, text } = await reader.get('/apidoc/users')
    const policy = String(headers.get('content-security-policy'))
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    for (const [, source] of text.matchAll(/(?:src|<link[^>]*href)="([^"]+)"/g)) assert.match(String(source), /^\//)
  })

  test('finds an endpoint by its path, its resource or a parameter', async () => {
    const first = async (text: string) => {
      const page = await pageAt(`/apidoc/search?q=${encodeURIComponent(text)}`)
      return /<ul class="findings">\s*<li><a href="([^"]+)"/.exec(page)?.[1]
    }
    assert.equal(await first('locations'), '/apidoc/locations#list')
    assert.equal(await first('/v2/campus/{campus_id}/users'), '/apidoc/users#list')
    assert.equal(await first('unclose'), '/apidoc/closes#unclose')
    assert.equal(await first('delete team'), '/apidoc/teams#delete')
    assert.equal(await first('filter[pool_year]'), '/apidoc/users#list')
    assert.match(await pageAt('/apidoc/search?q=%3Cscript%3Enothing'), /Nothing has “&lt;script&gt;nothing”/)
  })

  test('finds a field, a part of a guide or an error by its name', async () => {
    const found = async (text: string) => {
      const page = await pageAt(`/apidoc/search?q=${encodeURIComponent(text)}`)
      return [...page.matchAll(/<li><a href="([^"]+)"><span class="kind">/g)].map(([, href]) => href)
    }
    assert.ok((await found('users wallet')).includes('/apidoc/users#fields-record-wallet'))
    assert.ok((await found('staying signed in')).includes('/apidoc/guides/the-web-flow#staying-signed-in'))
    assert.equal((await found('429'))[0], '/apidoc/errors#429')
    assert.equal((await found('invalid_grant'))[0], '/apidoc/errors#invalid_grant')
    for (const text of ['wallet', '429', 'x '.repeat(50), '%'.repeat(100), '\\', '(', '💥']) await found(text)
  })

  test('names every resource in its index once, under a subject', async () => {
    const { json: document } = await reader.get('/v2/openapi.json')
    const grouped = document['x-tagGroups'].flatMap(({ tags }: { tags: string[] }) => tags)
    assert.deepEqual(grouped.toSorted(), document.tags.map(({ name }: { name: string }) => name).toSorted())
    const index = /<nav class="index".*?<\/nav>/s.exec(await pageAt('/apidoc'))?.[0] ?? ''
    const named = [...index.matchAll(/href="\/apidoc\/(\w+)"/g)].map(([, name]) => String(name))
    assert.equal(new Set(named).size, named.length)
    for (const name of grouped) assert.ok(named.includes(name), name)
  })

  test('shows the list of records before what writes them', async () => {
    const page = await pageAt('/apidoc/locations')
    const actions = [...page.matchAll(/<section class="action" id="([\w-]+)"/g)].map(([, anchor]) => anchor)
    assert.deepEqual(actions, ['list', 'show', 'graph', 'create', 'change', 'delete'])
  })

  test('has every page as Markdown, too, and llms.txt names all of them', async () => {
    const { status, text, headers } = await reader.get('/llms.txt')
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/markdown; charset=utf-8'])
    const named = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => String(address))
    const { json: document } = await reader.get('/v2/openapi.json')
    for (const { name } of document.tags) assert.ok(named.includes(`${world.url}/apidoc/${name}.md`), name)
    for (const address of named) {
      const { status, text } = await reader.get(address.slice(world.url.length))
      assert.equal(status, 200, address)
      if (!address.endsWith('.md')) continue
      assert.match(text, /^# /, address)
      assert.doesNotMatch(text, /undefined|\[object/, address)
    }
    for (const [path, page] of [
      ['/apidoc/users', await pageAt('/apidoc/users')],
      ['/apidoc/guides/json-api', await pageAt('/apidoc/guides/json-api')],
    ] as const)
      assert.ok(page.includes(`href="${path}.md"`), path)
    const users = (await reader.get('/apidoc/users.md')).text
    for (const part of ['`GET /v2/users`', '`kind` (sort, filter, range)', '`wallet`', 'curl '])
      assert.ok(users.includes(part), part)
  })

  test('leads from each guide to the one before and the one after it', async () => {
    const order = [...(await pageAt('/apidoc')).matchAll(/<li><a href="(\/apidoc\/guides\/[\w-]+)"/g)].map(
      ([, path]) => path,
    )
    const guides = [...new Set(order)] as string[]
    assert.ok(guides.length > 4)
    for (const [at, path] of guides.entries()) {
      const page = await pageAt(path)
      const target = (relation: string) => new RegExp(`<a rel="${relation}" href="([^"]+)"`).exec(page)?.[1]
      assert.deepEqual([target('prev'), target('next')], [guides[at - 1], guides[at + 1]])
    }
  })

  test('tells of every status and every word that a refusal can have', async () => {
    const page = plain(await pageAt('/apidoc/errors'))
    const { json: document } = await reader.get('/v2/openapi.json')
    const statuses = Object.values<Record<string, { responses?: object }>>(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses = {} }) => Object.keys(responses).filter((status) => status >= '400')),
    )
    for (const status of new Set(statuses))
      assert.ok(
        KNOWN_ERRORS.some((known) => String(known.status) === status),
        status,
      )
    const said = globSync(
      '{engine/{errors.ts,{http,rest}/**/*.ts},intranet/{access,oauth,school,services/attachments}/**/*.ts}',
    ).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(WORDS)].map(([, one, two]) => String(one ?? two)))
    assert.ok(said.length > 3)
    for (const word of said) assert.ok(KNOWN_ERRORS.some(({ error }) => error === word) && page.includes(word), word)
  })

  test('has every model and event that applications may subscribe to, with what is sent', async () => {
    const [catalogue, markdown] = await Promise.all(
      ['/apidoc/webhook-events', '/apidoc/webhook-events.md'].map(async (path) => plain((await reader.get(path)).text)),
    )
    const models = modelsOf(declaredRegistry().resources)
    assert.ok(models.size > 60)
    for (const [model, { resource, events }] of models) {
      const page = plain(await pageAt(`/apidoc/${resource.name}`))
      assert.ok(page.includes(`X-Model: ${model}`), model)
      assert.ok(catalogue?.includes(`${model}${Object.keys(events).join(', ')}`), model)
      for (const [event, label] of Object.entries(events)) {
        assert.ok(page.includes(event + label), `${model} ${event}`)
        assert.ok(markdown?.includes(`\`${event}\`: ${label}`), `${model} ${event}`)
      }
    }
  })

  test('speaks the reader’s language around the prose, and tells caches so', async () => {
    const french = await reader.get('/apidoc/users', { 'accept-language': 'fr' })
    const english = await reader.get('/apidoc/users', { 'accept-language': 'en' })
    assert.match(french.text, /<html lang="fr">/)
    assert.match(french.text, /<main [^>]*lang="en">[\s\S]*lang="fr">L’API est documentée en anglais/)
    // Within the page, words that the site knows in French are as English as their neighbours.
    assert.match(french.text, /<h3>Answers<\/h3>/)
    assert.match(french.text, /Aller au contenu/)
    assert.match(french.text, /<main[^>]* lang="en"/)
    assert.match(english.text, /<html lang="en">/)
    assert.notEqual(french.headers.get('etag'), english.headers.get('etag'))
    assert.match(String(english.headers.get('vary')), /Accept-Language/)
  })

  test('weighs no more than 100 kB on the wire, scripts and styles included', async () => {
    const { json: document } = await reader.get('/v2/openapi.json')
    const bytesOf = async (path: string) => {
      const { headers } = await reader.request('HEAD', path, { headers: { 'accept-encoding': 'gzip' } })
      return Number(headers.get('content-length'))
    }
    const page = await pageAt('/apidoc/users')
    const beside = [...page.matchAll(/(?:<link rel="(?:stylesheet|modulepreload)" href|src)="([^"]+)"/g)]
    let shared = 0
    for (const [, path] of beside) shared += await bytesOf(String(path))
    assert.ok(shared > 5_000, `${shared} bytes beside the page`)
    for (const { name } of document.tags) {
      const bytes = await bytesOf(`/apidoc/${name}`)
      assert.ok(bytes > 0 && bytes + shared < 100_000, `${name}: ${bytes} bytes and ${shared}`)
    }
  })

  test('gives the document for downloading, in JSON and the same in YAML', async () => {
    const { json: document } = await reader.get('/v2/openapi.json')
    assert.deepEqual((await reader.get('/apidoc/openapi.json')).json, document)
    const { text, headers } = await reader.get('/apidoc/openapi.yaml')
    assert.equal(headers.get('content-type'), 'application/yaml')
    assert.deepEqual(parse(text), document)
  })

  test('writes any JSON value as YAML', () => {
    const texts = ['no', 'NULL', '1', '1e3', '', ' a', 'a: b', '- x\n#é"\\\u0000', '👍', '2026-01-01', '~', '=', '<<']
    const values: unknown[] = [[], {}, null, true, -1.5, ...texts, texts, [[1, [2]], []], [[{ a: 1, b: [{}] }], null]]
    for (const value of [...values, Object.fromEntries(texts.map((text) => [text, { [text]: [text] }]))]) {
      assert.deepEqual(parse([...yamlPieces(value)].join('')), value)
    }
  })

  test('is where people look for it: older addresses lead to it', async () => {
    const moved = async (path: string) => {
      const { status, headers } = await reader.get(path)
      return [status, headers.get('location')]
    }
    assert.deepEqual(await moved('/apidoc/2.0/users.html'), [301, '/apidoc/users'])
    assert.deepEqual(await moved('/apidoc/2.0/users/index.html'), [301, '/apidoc/users#list'])
    assert.deepEqual(await moved('/apidoc/2.0/closes/unclose.html'), [301, '/apidoc/closes#unclose'])
    assert.deepEqual(await moved('/apidoc/2.0.html'), [301, '/apidoc'])
    assert.deepEqual(await moved('/apidoc/guides/getting_started'), [301, '/apidoc/guides/getting-a-token'])
    for (const path of ['/apidoc/nothing', '/apidoc/2.0/nothing.html', '/apidoc/users/list/more']) {
      assert.equal((await reader.get(path)).status, 404, path)
    }
  })

  test('is not sent again to a browser that has it', async () => {
    const etag = String((await reader.get('/apidoc/users')).headers.get('etag'))
    const again = await reader.get('/apidoc/users', { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  test('can only be read', async () => {
    const { status, headers } = await reader.post('/apidoc/users', {})
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })

  test('has the address of this service in its guides', async () => {
    const text = plain((await pageAt('/apidoc/guides/getting-a-token')) + (await pageAt('/apidoc/users')))
    assert.ok(text.includes(`API=${world.url}`))
    assert.ok(!text.includes('https://localhost:8443'))
  })
})

/** Error names in the sources. */
const WORDS = /\berror: '([A-Z][^']+)'|, '([A-Z][a-z]+ Error)'\)/g

/** The text of a page without its tags. */
const plain = (text: string) =>
  text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Path and anchor of each link. */
function linksIn(text: string, from: string): [target: string, anchor: string][] {
  return [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].flatMap(([, href = '']) => {
    if (/^https?:/.test(href)) return []
    const [path = '', anchor = ''] = href.split('#')
    return [[path || from, anchor] as [string, string]]
  })
}
