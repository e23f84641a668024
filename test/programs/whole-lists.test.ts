/** Published readers of `Link` fetch a whole list, whatever its address holds. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
// @ts-expect-error The package has no types.
import httpLinkHeader from 'http-link-header'
// @ts-expect-error The package has no types.
import li from 'li'
// @ts-expect-error The package has no types.
import parseLinks from 'parse-links'
import { findPython } from '../../clients/python/scripts/find-python.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'

const PYTHON = findPython(['requests'])
const SKIP = PYTHON ? false : "SKIPPED requests: no python3 with requests (install Debian's package python3-requests)"

const LISTS = [
  '/v2/users?filter[pool_month]=july,august&per_page=7',
  '/v2/users?sort=-created_at,id&per_page=50',
  '/v2/users?range[login]=a,n&per_page=9',
  '/v2/users?filter%5Bpool_month%5D=july%2Caugust&per_page=7',
  '/v2/locations?range[begin_at]=2020-01-01T00:00:00Z,2030-01-01T00:00:00+00:00&page[size]=90',
  '/v2/users?search[login]=a&note=a%20b+c,"d";<e>&per_page=20',
]

type NextOf = (link: string) => string | undefined

const READERS: Readonly<Record<string, NextOf>> = {
  'parse-links': (link) => parseLinks(link).next,
  'http-link-header': (link) => httpLinkHeader.parse(link).rel('next')[0]?.uri,
  li: (link) => li.parse(link).next,
  'a regular expression after RFC 8288': (link) => /<([^>]*)>\s*;\s*rel="next"/.exec(link)?.[1],
  'a split on commas and semicolons': (link) =>
    link
      .split(',')
      .map((part) => part.split(';'))
      .find(([, rel = '']) => rel.trim() === 'rel="next"')?.[0]
      ?.trim()
      .slice(1, -1),
}

describe('whole lists by Link', () => {
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    world = await campus({ seeded: true })
    folder = await temporaryFolder()
    await writeFile(join(folder.path, 'ca.pem'), world.ca)
  })
  after(async () => {
    await folder.remove()
    await world.close()
  })

  /** Follows the links of a list to its end. `total` is the last `X-Total`. */
  async function follow(path: string, nextOf: NextOf) {
    const ids = new Set<number>()
    let total = 0
    let pages = 0
    for (let url: string | undefined = world.url + path; url !== undefined; ) {
      assert.ok(url.startsWith(`${world.url}/v2/`), url)
      const page = await world.director.get(url.slice(world.url.length))
      assert.equal(page.status, 200, `${url}: ${page.text}`)
      for (const { id } of page.json) ids.add(id)
      total = Number(page.headers.get('x-total'))
      pages += 1
      url = nextOf(page.headers.get('link') ?? '')
    }
    return { ids, total, pages }
  }

  for (const [name, nextOf] of Object.entries(READERS)) {
    test(`${name} fetches as many records as X-Total says`, async () => {
      for (const path of LISTS) {
        const { ids, total, pages } = await follow(path, nextOf)
        assert.equal(ids.size, total, path)
        assert.ok(pages > 1, `${path} has one page`)
      }
    })
  }

  test("Python's requests fetches as many records as X-Total says", { skip: SKIP }, async () => {
    const program = `
import json, os, requests
session = requests.Session()
session.verify = os.environ['CA']
session.headers['Authorization'] = 'Bearer ' + os.environ['TOKEN']
for address in json.loads(os.environ['ADDRESSES']):
    ids, total = set(), None
    while address:
        page = session.get(address)
        page.raise_for_status()
        ids.update(one['id'] for one in page.json())
        total = int(page.headers['X-Total'])
        address = page.links.get('next', {}).get('url')
    print(len(ids), total)`
    const addresses = LISTS.map((path) => world.url + path)
    const { stdout } = await promisify(execFile)(String(PYTHON), ['-c', program], {
      env: { CA: join(folder.path, 'ca.pem'), TOKEN: world.director.token, ADDRESSES: JSON.stringify(addresses) },
    })
    const lines = stdout.trim().split('\n')
    assert.equal(lines.length, LISTS.length)
    for (const line of lines) {
      const [read, total] = line.split(' ')
      assert.equal(read, total)
    }
  })

  test('JSON:API links name only addresses without commas and brackets', async () => {
    const headers = { accept: 'application/vnd.api+json' }
    for (const path of LISTS.filter((one) => !one.includes('note='))) {
      let url: string | null = path
      let read = 0
      let total: number | undefined
      while (url !== null) {
        const page = await world.director.get(url, headers)
        assert.equal(page.status, 200, page.text)
        read += page.json.data.length
        total = Number(page.headers.get('x-total'))
        const { links } = page.json
        for (const link of Object.values(links)) assert.doesNotMatch(String(link), /[,[\]]/)
        url = links.next === null ? null : String(links.next).slice(world.url.length)
      }
      assert.equal(read, total, path)
    }
  })
})
