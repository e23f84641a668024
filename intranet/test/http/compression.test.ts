/** Checks that responses are compressed as clients request, and never if compression could reveal a secret. */
import assert from 'node:assert/strict'
import { Agent, request as ask } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { campus, type World } from '@campus/test/support/campus'
import { PAGES } from '@campus/test/support/mounted-pages'
import { flowOf } from '@campus/test/support/oauth-flow'

let world: World
let agent: Agent
before(async () => {
  world = await campus()
  agent = new Agent({ ca: world.ca, keepAlive: true })
  await world.build.campus({ slug: 'paris' })
  for (let number = 0; number < 120; number += 1) await world.build.user({ login: `person${number}` })
})
after(async () => {
  agent.destroy()
  await world.close()
})

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
type Encoding = keyof typeof DECODERS
const ENCODINGS = Object.keys(DECODERS) as Encoding[]

type Raw = { readonly status: number; readonly headers: Record<string, string | undefined>; readonly bytes: Buffer }
type Asking = { readonly method?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

/** Returns the response with its body as sent, not decoded. */
function fetchRaw(path: string, encoding: string | undefined, { method = 'GET', body, headers = {} }: Asking = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const authorization = `Bearer ${world.visitor.token}`
  const accept = encoding === undefined ? {} : { 'accept-encoding': encoding }
  const call = ask(
    world.url + path,
    { agent, method, headers: { authorization, ...accept, ...headers } },
    async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers as Raw['headers'],
        bytes: Buffer.concat(chunks),
      })
    },
  )
  call.once('error', reject).end(body)
  return promise
}

const decoded = ({ headers, bytes }: Raw) => {
  const encoding = headers['content-encoding']
  return (encoding === undefined ? bytes : DECODERS[encoding as Encoding](bytes)).toString()
}

/** Paths of public texts of different sizes and kinds. */
const COMPRESSED = {
  'a page of users': '/v2/users',
  'the largest page': '/v2/users?per_page=100',
  'the OpenAPI document': '/v2/openapi.json',
  'the list of resources': '/v2',
  'a page of the reference': '/apidoc/users',
  'a search of the reference': '/apidoc/search?q=users',
  'the document as YAML': '/apidoc/openapi.yaml',
  'the stylesheet of the pages': '/assets/style.css',
}

describe('an answer that is larger than a packet', () => {
  for (const [what, path] of Object.entries(COMPRESSED)) {
    test(`is the same text in each coding: ${what}`, async () => {
      const plain = await fetchRaw(path, undefined)
      assert.equal(plain.status, 200)
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.equal(plain.headers['content-length'], String(plain.bytes.length))
      for (const encoding of ENCODINGS) {
        for (const time of ['first', 'again']) {
          const answer = await fetchRaw(path, encoding)
          assert.equal(answer.headers['content-encoding'], encoding, time)
          assert.equal(answer.headers['content-length'], String(answer.bytes.length))
          assert.equal(answer.headers['content-type'], plain.headers['content-type'])
          assert.equal(answer.headers.etag, plain.headers.etag)
          assert.match(answer.headers.vary ?? '', /\bAccept-Encoding\b/)
          assert.ok(answer.bytes.length < plain.bytes.length / 2, `${answer.bytes.length} of ${plain.bytes.length}`)
          assert.equal(decoded(answer), plain.bytes.toString())
        }
      }
    })
  }

  test('comes as it is to who takes no coding, and says that there are others', async () => {
    for (const encoding of [undefined, 'identity', 'deflate', '*;q=0', 'gzip;q=0']) {
      const { headers } = await fetchRaw('/v2/users', encoding)
      assert.equal(headers['content-encoding'], undefined, encoding)
      assert.equal(headers.vary, 'Origin, Accept, Content-Type, Accept-Encoding')
    }
  })

  test('is known by one tag whatever coding it came in', async () => {
    for (const path of ['/v2/users', '/v2/openapi.json', '/apidoc/users']) {
      const { headers } = await fetchRaw(path, 'br')
      assert.match(headers.etag ?? '', /^W\/"/)
      for (const encoding of [undefined, ...ENCODINGS]) {
        const again = await fetchRaw(path, encoding, { headers: { 'if-none-match': headers.etag as string } })
        assert.deepEqual([again.status, again.bytes.length], [304, 0])
        assert.equal(again.headers['content-encoding'], undefined)
        assert.equal(again.headers.etag, headers.etag)
        assert.match(again.headers.vary ?? '', /\bAccept-Encoding\b/)
      }
    }
  })

  test('has the same headers when only they are asked for', async () => {
    for (const encoding of [undefined, ...ENCODINGS]) {
      const [whole, head] = [
        await fetchRaw('/v2/users', encoding),
        await fetchRaw('/v2/users', encoding, { method: 'HEAD' }),
      ]
      for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary', 'x-total']) {
        assert.equal(head.headers[name], whole.headers[name], name)
      }
      assert.equal(head.bytes.length, 0)
    }
  })

  test('may be JSON:API', async () => {
    const headers = { accept: 'application/vnd.api+json' }
    const answer = await fetchRaw('/v2/users', 'zstd', { headers })
    assert.equal(answer.headers['content-type'], 'application/vnd.api+json')
    assert.equal(JSON.parse(decoded(answer)).data.length, 30)
  })
})

describe('an answer that is not worth it', () => {
  test('comes as it is', async () => {
    for (const [path, status] of [
      ['/v2/campus/paris', 200],
      ['/v2/users?page=99', 200],
      ['/v2/users?page=0', 400],
      ['/v2/nothing', 404],
    ] as const) {
      const answer = await fetchRaw(path, 'gzip, br, zstd')
      assert.equal(answer.status, status, path)
      assert.equal(answer.headers['content-encoding'], undefined, path)
    }
  })

  test('is compressed all the same for who takes nothing else', async () => {
    const answer = await fetchRaw('/v2/users?page=99', 'gzip, identity;q=0')
    assert.equal(answer.headers['content-encoding'], 'gzip')
    assert.equal(decoded(answer), '[]')
  })
})

describe('what holds a secret beside what somebody else may have chosen', () => {
  const any = 'gzip, br, zstd, identity;q=0'

  test('is never compressed: pages with forms', async () => {
    const { bytes } = await fetchRaw('/sign-in', any)
    assert.match(bytes.toString(), /csrf_token/)
    const paths = PAGES.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/:\w+/g, '1'))
    assert.ok(paths.length > 10)
    for (const path of paths) {
      const { headers } = await fetchRaw(`${path}?return_to=/applications`, any)
      assert.equal(headers['content-encoding'], undefined, path)
    }
  })

  test('is never compressed: tokens, and what they stand for', async () => {
    const { uid, secret } = await flowOf(world).application()
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: uid,
      client_secret: String(secret),
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const path of ['/oauth/token', '/v2/oauth/token']) {
      const answer = await fetchRaw(path, any, { method: 'POST', body: body.toString(), headers: form })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-encoding'], undefined)
      assert.equal(typeof JSON.parse(answer.bytes.toString()).access_token, 'string')
    }
    assert.equal((await fetchRaw('/oauth/token/info', any)).headers['content-encoding'], undefined)
  })

  test('is never compressed: what a write answers', async () => {
    const headers = { authorization: `Bearer ${world.director.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ language: { name: 'Aleut', identifier: 'ale' } })
    const answer = await fetchRaw('/v2/languages', any, { method: 'POST', body, headers })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['content-encoding'], undefined)
  })
})
