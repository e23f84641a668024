import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { campus, type World } from '../support/campus.ts'

describe('the pictures of the demonstration school', () => {
  let world: World
  before(async () => {
    world = await campus({ seeded: true })
  })
  after(() => world.close())

  async function get(path: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
    const { statusCode, headers, body } = await world.agent.request({ origin: world.url, path, method })
    return { status: statusCode, headers, text: await body.text() }
  }

  /** Addresses of pictures anywhere in an answer: below the service's own, or paths as achievements have them. */
  function picturesIn(value: unknown): string[] {
    if (typeof value === 'string') return /^(https:\/\/[^/]+)?\/uploads\//.test(value) ? [value] : []
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(picturesIn) : []
  }

  it('are there at every address that the API gives', async () => {
    const found = new Set<string>()
    for (const path of ['users', 'coalitions', 'blocs', 'achievements', 'products', 'clusters', 'campus']) {
      const { json, status } = await world.director.get(`/v2/${path}?per_page=100`)
      assert.equal(status, 200, path)
      for (const record of json) {
        const { json: whole } = await world.director.get(`/v2/${path}/${record.id}`)
        for (const address of picturesIn([record, whole])) found.add(address)
      }
    }
    const kinds = new Set([...found].map((address) => address.split('/').at(-2)))
    assert.deepEqual([...kinds].sort(), [
      'achievements',
      'clusters',
      'coalitions',
      'covers',
      'initials',
      'products',
      'users',
    ])
    assert.ok([...found].some((address) => address.includes('/micro_')))
    for (const address of found) {
      const path = address.startsWith(world.url) ? address.slice(world.url.length) : address
      const { status, headers, text } = await get(path)
      assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml; charset=utf-8'], address)
      assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" .*<\/svg>$/s)
    }
  })

  it('are at no other host', async () => {
    const columns = await world.database.rows(
      `select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'text'
         and column_name ~ '(image|cover_url|logo|thumb_url|picture)$' and table_name in (select relname from pg_class where relkind = 'r')`,
    )
    assert.ok(columns.length >= 8)
    for (const [table, column] of columns) {
      const elsewhere = await world.database.rows(
        `select "${column}" from "${table}" where "${column}" is not null and "${column}" !~ '^/uploads/' limit 1`,
      )
      assert.deepEqual(elsewhere, [], `${table}.${column}`)
    }
  })

  it('can be drawn, differ from each other and stay the same', async () => {
    const drawn = new Set<string>()
    for (const kind of ['users', 'achievements', 'coalitions', 'covers', 'campus', 'products', 'clusters']) {
      for (const name of ['ada', 'grace']) {
        const { text } = await get(`/uploads/${kind}/${name}.svg`)
        const { width, height } = await sharp(Buffer.from(text)).metadata()
        assert.deepEqual([width, height], [400, kind === 'covers' ? 160 : 400])
        assert.equal((await get(`/uploads/${kind}/${name}.svg`)).text, text)
        drawn.add(text)
      }
    }
    assert.equal(drawn.size, 14)
    const { text } = await get('/uploads/users/micro_ada.svg')
    assert.equal((await sharp(Buffer.from(text)).metadata()).width, 80)
  })

  it('hold nothing of what was asked for, run nothing and reach nothing', async () => {
    for (const path of [
      '/uploads/users/%3Cscript%3E.svg',
      '/uploads/users/a%22onload=%22x.svg',
      '/uploads/users/..%2f..%2fetc%2fpasswd.svg',
      '/uploads/users/Ada.svg',
      '/uploads/users/ada.png',
      '/uploads/users/.svg',
      `/uploads/users/${'a'.repeat(101)}.svg`,
      `/uploads/users/${'-'.repeat(8_000)}.svg`,
      '/uploads/constructor/ada.svg',
      '/uploads/__proto__/ada.svg',
      '/uploads/teams/ada.svg',
    ])
      assert.equal((await get(path)).status, 404, path)
    const { headers } = await get('/uploads/users/ada.svg')
    assert.deepEqual(
      ['content-security-policy', 'x-content-type-options', 'cross-origin-resource-policy'].map(
        (name) => headers[name],
      ),
      ["default-src 'none'; sandbox", 'nosniff', 'cross-origin'],
    )
    assert.equal(headers['set-cookie'], undefined)
    assert.equal((await get('/uploads/users/ada.svg', 'HEAD')).text, '')
    assert.equal((await get('/uploads/users/ada.svg', 'POST')).status, 405)
  })
})
