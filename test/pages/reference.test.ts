import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { yamlOf } from '../../src/pages/reference/yaml.ts'
import { campus, type World } from '../support/campus.ts'
import { type Client, clientOf } from '../support/client.ts'

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
      if (/openapi\.(json|yaml)$/.test(path)) continue
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
      assert.deepEqual(parse(yamlOf(value)), value)
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

  test('has the address of this service in its guides and examples', async () => {
    const text = (await pageAt('/apidoc/guides/getting-a-token')) + (await pageAt('/apidoc/users'))
    assert.ok(text.includes(`API=${world.url}`))
    assert.ok(text.includes(`${world.url}/v2/users/`))
    assert.ok(!text.includes('https://localhost:8443'))
  })
})

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
